"""What stands on buttons that delete, stop, start, send or undo, in three languages: nobody presses the wrong one.

A new such word is added here by hand, after it was read in all three.
"""

import re
from collections.abc import Iterator

from dashboard.apps import list_catalogues
from tests.house.sources import assert_none, list_templates, read_text, relative_name
from tests.house.test_words import list_texts, read_catalogue

DANGEROUS = re.compile(
    r"(Cancel|Clear|Continue|Create (live|secret|sub-account)|Delete|Discard|Disconnect|Finish|Forget|Generate|It arrived|"
    r"It did not arrive|Keep|Pause|Post|Remove|Reopen|Replace|Resolve|Restore|Send|Save anyway|Sign out|Start|Stay|Stop|Turn|"
    r"Undo|Withdraw)\b"
)
"""How everything in the table begins: what a button does that cannot be undone at once, or what the button beside it does."""
HARMLESS = re.compile(
    r"(Add|All is set up|Below|Check|Compare|Copy|Create|Draw|Duplicate|Earlier|Follows|Get answers|Import|In the plan|Indent|"
    r"Inside|It plays|Judge|Later|Load|Locked|Look|Mark|Merge|Move|One second|Open|Outdent|Plan|Put back|Refresh|Reply|Review|Save|"
    r"Select none|Set|Show|Sign in|Switch|Theme|Try again|Type|Update|Use|Why)\b"
)
"""What every other button of a form begins with."""
TABLE = """
Cancel | Cancelar | Cancelar
Clear | Limpar | Quitar
Clear all | Limpar tudo | Quitar todo
Clear selection | Limpar seleção | Quitar selección
Clear the plan | Limpar o plano | Vaciar el plan
Clear the range | Limpar o intervalo | Quitar el intervalo
Continue as %(name)s | Continuar como %(name)s | Continuar como %(name)s
Continue on another device | Continuar em outro aparelho | Continuar en otro dispositivo
Continue run | Continuar execução | Continuar ejecución
Create live | Criar live | Crear directo
Create secret | Criar segredo | Crear secreto
Create sub-account | Criar subconta | Crear subcuenta
Delete | Excluir | Eliminar
Delete AI content | Excluir conteúdo de IA | Eliminar contenido de IA
Delete answer %(letter)s | Excluir a resposta %(letter)s | Eliminar la respuesta %(letter)s
Delete now | Excluir agora | Eliminar ahora
Delete playlist | Excluir playlist | Eliminar lista
Delete question | Excluir pergunta | Eliminar pregunta
Delete reply | Excluir resposta | Eliminar respuesta
Delete test | Excluir teste | Eliminar prueba
Delete view | Excluir lista | Eliminar vista
Delete webhook | Excluir webhook | Eliminar webhook
Discard | Descartar | Descartar
Discard changes | Descartar mudanças | Descartar cambios
Discard what was typed | Descartar o que foi digitado | Descartar lo escrito
Discard: %(name)s | Descartar: %(name)s | Descartar: %(name)s
Disconnect | Desconectar | Desconectar
Disconnect account | Desconectar conta | Desconectar cuenta
Finish | Concluir | Terminar
Finish accepted | Encerramento aceito | Finalización aceptada
Finish accepted, waiting for the platform | Encerramento aceito, aguardando a plataforma |
    Finalización aceptada, esperando a la plataforma
Finish and declare the winner | Encerrar e declarar a vencedora | Terminar y declarar la ganadora
Finish live | Encerrar live | Finalizar directo
Finish not confirmed | Encerramento sem confirmação | Finalización sin confirmar
Finish review | Concluir revisão | Terminar revisión
Finish test | Encerrar teste | Terminar prueba
Forget it | Esquecer | Olvidar
Generate | Gerar | Generar
Generate AI content | Gerar conteúdo de IA | Generar contenido de IA
It arrived | Chegou | Llegó
It did not arrive, send again | Não chegou, enviar de novo | No llegó, enviar de nuevo
Keep for later | Guardar para depois | Guardar para después
Keep it | Manter | Conservarlo
Keep it a draft | Manter como rascunho | Dejarla en borrador
Keep it connected | Manter conectada | Mantener conectada
Keep it running | Deixar em andamento | Dejarla en curso
Keep mine | Manter o meu | Conservar lo mío
Keep playing after posting | Continuar a reprodução depois de publicar | Seguir reproduciendo después de publicar
Keep price | Guardar preço | Guardar precio
Keep the HTML | Manter o HTML | Conservar el HTML
Keep the content | Manter o conteúdo | Conservar el contenido
Keep the live | Manter a live | Mantener el directo
Keep the playlist | Manter a playlist | Mantener la lista
Keep the schedule | Manter o agendamento | Mantener la programación
Keep the test | Manter o teste | Conservar la prueba
Keep the text | Manter o texto | Conservar el texto
Pause | Pausar | Pausar
Pause run | Pausar execução | Pausar ejecución
Pause the video while I type | Pausar o vídeo enquanto escrevo | Pausar el video mientras escribo
Post a test | Enviar um teste | Enviar una prueba
Post comment | Publicar comentário | Publicar comentario
Post decisions as comments | Publicar decisões como comentários | Publicar las decisiones como comentarios
Post reply | Publicar resposta | Publicar respuesta
Post, while typing | Publicar, enquanto escreve | Publicar, mientras escribes
Remove | Remover | Quitar
Remove filter %(filter)s | Remover filtro %(filter)s | Quitar filtro %(filter)s
Remove from my list | Remover da minha lista | Quitar de mi lista
Remove from overview | Remover da visão geral | Quitar del resumen
Remove from the cuts | Tirar dos cortes | Quitar de los cortes
Remove {range} | Remover {range} | Quitar {range}
Reopen | Reabrir | Reabrir
Replace the token | Trocar o token | Reemplazar el token
Replace token | Trocar token | Reemplazar token
Replace with {repair} | Substituir por {repair} | Sustituir por {repair}
Resolve | Resolver | Resolver
Resolve, go to next | Resolver e ir para o próximo | Resolver e ir al siguiente
Restore | Restaurar | Restaurar
Restore into the draft | Restaurar no rascunho | Restaurar en el borrador
Retry %(count)s refused | Tentar de novo %(count)s recusado / Tentar de novo %(count)s recusados |
    Reintentar %(count)s rechazado / Reintentar %(count)s rechazados
Save anyway | Salvar mesmo assim | Guardar de todos modos
Send %(count)s change | Enviar %(count)s alteração / Enviar %(count)s alterações |
    Enviar %(count)s cambio / Enviar %(count)s cambios
Send %(count)s job | Enviar %(count)s tarefa / Enviar %(count)s tarefas | Enviar %(count)s trabajo / Enviar %(count)s trabajos
Send a test e-mail | Enviar e-mail de teste | Enviar correo de prueba
Send again | Enviar de novo | Enviar de nuevo
Send by e-mail every Monday | Enviar por e-mail toda segunda-feira | Enviar por correo todos los lunes
Send decision | Enviar decisão | Enviar decisión
Send funnel | Enviar funil | Enviar embudo
Send now | Enviar agora | Enviar ahora
Send the confirmation again | Enviar a confirmação de novo | Enviar de nuevo la confirmación
Send this every Monday | Enviar toda segunda-feira | Enviar todos los lunes
Sign out | Sair | Salir
Sign out everywhere | Sair em todos os dispositivos | Salir en todos los dispositivos
Sign out everywhere else | Sair nos outros dispositivos | Salir en los demás dispositivos
Start accepted | Início aceito | Inicio aceptado
Start accepted, waiting for the encoder | Início aceito, aguardando o codificador | Inicio aceptado, esperando al codificador
Start again | Iniciar de novo | Iniciar de nuevo
Start early | Iniciar antes | Iniciar antes
Start live | Iniciar live | Iniciar directo
Start not known | Início desconhecido | Inicio desconocido
Start posting decisions | Publicar decisões | Publicar decisiones
Start run with %(count)s video | Iniciar execução com %(count)s vídeo / Iniciar execução com %(count)s vídeos |
    Iniciar ejecución con %(count)s video / Iniciar ejecución con %(count)s videos
Start test | Começar teste | Empezar prueba
Stay signed in | Continuar conectado | Mantener la sesión
Stop | Parar | Detener
Stop comparing | Parar de comparar | Dejar de comparar
Stop e-mails and delete the address | Parar os e-mails e excluir o endereço | Detener los correos y eliminar la dirección
Stop posting decisions | Parar de publicar decisões | Dejar de publicar decisiones
Stop these e-mails | Parar estes e-mails | Dejar de recibir estos correos
Stop this report | Parar este relatório | Detener este informe
Turn addresses off | Desligar endereços | Desactivar direcciones
Turn addresses on | Ligar endereços | Activar direcciones
Turn preview off | Desativar a prévia | Desactivar la vista previa
Turn preview on | Ativar a prévia | Activar la vista previa
Undo | Desfazer | Deshacer
Undo of %(name)s | Desfazer: %(name)s | Deshacer: %(name)s
Undo the changes | Desfazer as alterações | Deshacer los cambios
Undo the changes to single cells | Desfazer as mudanças em células avulsas | Deshacer los cambios en celdas sueltas
Undo the last step | Desfazer o último passo | Deshacer el último paso
Undo this change | Desfazer esta alteração | Deshacer este cambio
Undo, done | Desfazer, feito | Deshacer, hecho
Withdraw | Retirar | Retirar
Withdraw comment | Retirar comentário | Retirar comentario
Withdraw decision | Retirar decisão | Retirar la decisión
Withdraw this comment | Retirar este comentário | Retirar este comentario
"""
"""English | pt-BR | es; two forms of a plural with a stroke between them."""
ROWS = {row[0]: row[1:] for row in (line.split(" | ") for line in TABLE.strip().replace("\n    ", " ").splitlines())}
FORM = re.compile(r'<form\b[^>]*method="post".*?</form>', re.DOTALL)
BUTTON = re.compile(r"<(a|button)\b(.*?)>(.*?)</\1>", re.DOTALL)
WORDS = re.compile(r'{% translate "([^"]+)"|{% blocktranslate[^%]*%}(.*?){% (?:plural|endblocktranslate)', re.DOTALL)


def list_button_words() -> Iterator[tuple[str, str, bool]]:
    """The words on every button of a form and on every red link, where they are, and whether they are red."""
    for path in list_templates():
        text = read_text(path)
        forms = [form.span() for form in FORM.finditer(text)]
        for button in BUTTON.finditer(text):
            is_red = "--danger" in button[2]
            if is_red or (button[1] == "button" and any(begin < button.start() < end for begin, end in forms)):
                for plain, block in WORDS.findall(button[3]):
                    words = re.sub(r"{{ *([\w.]+) *}}", r"%(\1)s", " ".join((plain or block).split()))
                    yield relative_name(path), words, is_red


def test_every_dangerous_button_is_in_the_table() -> None:
    buttons = list(list_button_words())
    assert len(buttons) > 100
    assert_none(
        f"{where}: {words!r} is in no table" if is_red or DANGEROUS.match(words) else f"{where}: is {words!r} harmless?"
        for where, words, is_red in buttons
        if words not in ROWS and (is_red or DANGEROUS.match(words) or not HARMLESS.match(words))
    )


def test_dangerous_words_read_in_every_language_as_in_the_table() -> None:
    read: dict[str, dict[str, str]] = {}
    for path in list_catalogues():
        for message in read_catalogue(path):
            english = list_texts(message.id)[0]
            is_short = len(english.split()) <= 6 and english[-1:] not in {".", "?", "!", ":", "…"}
            if english in ROWS or (is_short and DANGEROUS.match(english)):
                read.setdefault(english, {})[path.parents[1].name] = " / ".join(list_texts(message.string))
    told = {english: [texts["pt_BR"], texts["es"]] for english, texts in read.items()}
    assert len(told) > 50
    assert_none(
        f"{english!r}: {told.get(english)} instead of {ROWS.get(english)}"
        for english in sorted(ROWS.keys() | told)
        if told.get(english) != ROWS.get(english)
    )
