"""Comments as people write them: each one another sentence, of another length, in two languages."""

from random import Random
from typing import Final

ENGLISH: Final = """
a about above across after again ahead almost already also always and angle another answer around aspect audio away
back background backlight balance bar beat because before behind below better between bigger blue blur border both
bottom bounce box breath brief bright bring broken bump button by call calmer camera caption card careful carry
centre chapter check clean clear client clip close closer clothes cloud colour comes contrast corner could credit
crop crowd cup curtain cut dark deeper delay desk detail dialogue different door doubt drift drone drop dust early
echo edge edit eight empty end enough exact eyes face fade false far fast feels field film final finger first fix
flat flicker focus follow font for frame from front full gap gate gesture glass glow good grade grain green ground
hair half hand harsh head hear heavy here high hiss hold horizon host hour house hum idea image in inside instead
interview intro it jacket jump keep key kitchen label lady last later launch layer lead leave left legal lens less
letter level lift light like line lips little logo long look loop lose loud low lower make mark mask maybe middle
minute mix mouth move much music muted name narrow near neck need new nine noise north note nothing number off old
on once one open or orange order other out over page pan paper pause people pick picture piece place plane please
point pop port poster pressure print quick quiet quote rack rain raise read red reflection remove render repeat rest
reverse rhythm ridge right ring room rough round safe same scene screen second see sentence sequence shade shadow
shake sharp shirt shoe short shot shoulder show shutter side sign silence sky slate slow small smile smooth so soft
song sound source space speaker speed spell spot square stable stage stand start stays step still stop story
straight strong studio sudden sun surface swap table take talk tempo text thank that the there thin third this three
tight tilt time title to today tone too top touch track transition trim twice two type under until up value version
very view voice volume wait walk wall warm water weak web week white whole why wide wider wind window with without
woman word work yellow you zoom
"""
PORTUGUESE: Final = """
a abertura acaba acelera acho acima aqui agora ainda ajusta alta alto amarelo antes ao aparece aperta apito áudio
azul baixo balanço barulho boa boca borda branco brilho brusca cabelo cabeça cada caixa calma câmera cartela cena
cedo céu chão cheio chuva clara claro cliente coloca com começa como contraste cor corrige corta corte cria crédito
curto da de deixa dela demais dentro depois desce desfoca devagar devia dia dois duas dura duração edição ela ele em
encaixa encerra enquadra entra entrevista então era erro escura escuro espaço essa esse está estoura eu exato fala
falta fica filme fim final foco fone fonte fora forte frase frente fundo ganho gesto gosto grande grão hora imagem
inteira janela jeito junto lado lança legenda lenta letra leve limpa linha logo longa longe lugar luz mais manda mão
máscara meio melhor menos mesa mesmo microfone minuto montagem mostra mudança muito música nada não nessa no nome
nosso nova número olha ombro onde ordem ou outra ouve palavra para parede parte passa pausa pede pega perde perto
pessoa plano podemos pouco por posição prefiro primeiro produto quadro quando quase que quem quente rápido refaz
reflexo repete resto revisar ritmo rosto ruído sai sala saturada se segundo segura sem sobe sobra som sombra sua
suave subir suja tela tem tempo terceiro texto tira título toda tom topo treme trilha troca tudo um uma usa vai vale
vento ver verde versão vez vidro volta volume voz zoom
"""
WORDS: Final = (ENGLISH.split(), PORTUGUESE.split())
"""Words that reviewers of films use."""
ENDS: Final = (".", ".", ".", "!", "?", "…")


def sentence(dice: Random) -> str:
    """One comment of five to thirty words; one in eight names a moment."""
    words = dice.choices(dice.choice(WORDS), k=int(dice.triangular(5, 30, 9)))
    if dice.random() < 0.125:
        words.insert(dice.randrange(1, len(words)), f"{dice.randrange(30)}:{dice.randrange(60):02}")
    if dice.random() < 0.3:
        words[len(words) // 2] += ","
    return " ".join(words).capitalize() + dice.choice(ENDS)
