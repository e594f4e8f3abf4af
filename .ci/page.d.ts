// What the scripts of static/js may take as known about the pages they run on. Templates are the server's, and journeys
// walk through them in a browser: an element that a script asks for by its hook is typed as there, and where it may be
// missing the script asks first. That is why `strictNullChecks` is off in tsconfig.json.

type Tags = HTMLElementTagNameMap;

type LastCompound<S extends string> = S extends `${string},${string}`
  ? ""
  : S extends `${string} ${infer Rest}`
    ? LastCompound<Rest>
    : S;
type TagOf<S extends string> = S extends `${infer Tag}[${string}`
  ? TagOf<Tag>
  : S extends `${infer Tag}.${string}`
    ? TagOf<Tag>
    : S extends `${infer Tag}:${string}`
      ? TagOf<Tag>
      : S extends `${infer Tag}#${string}`
        ? TagOf<Tag>
        : S;
type HookOf<S extends string> = S extends `${string}[${infer Name}]${string}` ? Name : "";

type ClassOf<S extends string> = S extends `.${infer Name}[${string}`
  ? Name
  : S extends `.${infer Name}:${string}`
    ? Name
    : S extends `.${infer Name}`
      ? Name
      : "";
type NameOf<Hook extends string> = Hook extends `${infer Name}=${string}` ? Name : Hook;

/** The element that a selector selects: by its tag's name, else by our hook or class, else any. */
type Selected<S extends string> =
  TagOf<LastCompound<S>> extends keyof Tags
    ? Tags[TagOf<LastCompound<S>>]
    : HookOf<LastCompound<S>> extends keyof Hooks
      ? Hooks[HookOf<LastCompound<S>>]
      : NameOf<HookOf<LastCompound<S>>> extends keyof Hooks
        ? Hooks[NameOf<HookOf<LastCompound<S>>>]
        : ClassOf<LastCompound<S>> extends keyof Classes
          ? Classes[ClassOf<LastCompound<S>>]
          : HTMLElement;

type Buttons =
  `data-${"add-answer" | "add-range" | "chat" | "entry" | "fix-name" | "fix-time" | "lock" | "redo" | "review" | "several" | "undo"}`;

/** Hooks of templates and attributes of controls, where the scripts need more of them than of any element. */
interface Hooks extends Record<Buttons, HTMLButtonElement> {
  "aria-pressed=true": HTMLButtonElement;
  "name=csrfmiddlewaretoken": HTMLInputElement;
  "name=write_key": HTMLInputElement;
  "role=combobox": HTMLInputElement;
  "role=treeitem": HTMLAnchorElement;
  "type=checkbox": HTMLInputElement;
  "type=submit": HTMLButtonElement;
  "data-alone": HTMLAnchorElement;
  "data-answer-text": HTMLTextAreaElement;
  "data-caption-language": HTMLSelectElement;
  "data-chats": HTMLFormElement;
  "data-checks": HTMLFormElement;
  "data-choose": HTMLFormElement;
  "data-clock": HTMLTimeElement;
  "data-composer": HTMLFormElement;
  "data-countdown": HTMLTimeElement;
  "data-draft": HTMLFormElement;
  "data-drafts-save": HTMLAnchorElement;
  "data-edit": HTMLAnchorElement;
  "data-hold": HTMLProgressElement;
  "data-plays": HTMLFormElement;
  "data-decision": HTMLFormElement;
  "data-people": HTMLDetailsElement;
  "data-people-form": HTMLFormElement;
  "data-theme-switch": HTMLFormElement;
  "data-embed": HTMLTemplateElement;
  "data-film": HTMLVideoElement;
  "data-find": HTMLFormElement;
  "data-finish": HTMLFormElement;
  "data-label": HTMLInputElement;
  "data-map": SVGSVGElement;
  "data-moment": HTMLInputElement;
  "data-markdown": HTMLTextAreaElement;
  "data-name": HTMLDetailsElement;
  "data-new-chip": HTMLAnchorElement;
  "data-palette": HTMLDialogElement;
  "data-question-form": HTMLFormElement;
  "data-reply": HTMLAnchorElement;
  "data-row": HTMLInputElement;
  "data-seek": HTMLInputElement;
  "data-seen": HTMLInputElement;
  "data-sent": HTMLFormElement;
  "data-setting": HTMLInputElement;
  "data-show": HTMLAnchorElement;
  "data-sign-in": HTMLAnchorElement;
  "data-single-keys": HTMLInputElement;
  "data-sound": HTMLSelectElement;
  "data-speed": HTMLSelectElement;
  "data-volume": HTMLInputElement;
  "data-watched": HTMLProgressElement;
  "data-watched-next": HTMLAnchorElement;
  "data-wipe": HTMLInputElement;
}

interface Classes {
  marker: Marker;
  "quiz-row__link": HTMLAnchorElement;
  "reply-box": HTMLFormElement;
  thread: HTMLDetailsElement;
  world__bubble: SVGElement;
}

/** Elements by identifier, where the scripts need more of them than of any element. */
interface Identified {
  save: HTMLFormElement;
  act: HTMLFormElement;
  "edit-form": HTMLTemplateElement;
  keys: HTMLDialogElement;
  "reply-form": HTMLTemplateElement;
  "side-x": HTMLInputElement;
  "side-y": HTMLInputElement;
  "withdraw-form": HTMLTemplateElement;
}

/** Fields of our forms by name. */
interface HTMLFormControlsCollection {
  entry: HTMLInputElement;
  drawing: HTMLInputElement;
  frame: HTMLInputElement;
  key: HTMLInputElement;
  opened_text: HTMLInputElement;
  repeat: HTMLInputElement;
  reply_to: HTMLInputElement;
  show: HTMLSelectElement;
  text: HTMLTextAreaElement;
  theme: HTMLSelectElement;
  time: HTMLInputElement;
  user_name: HTMLInputElement;
  verdict: RadioNodeList;
  write_key: HTMLInputElement;
}

interface ParentNode {
  querySelector<S extends string>(selectors: S): Selected<S>;
  querySelectorAll<S extends string>(selectors: S): NodeListOf<Selected<S>>;
}

/** Elements of our pages are of HTML or SVG. */
interface Element extends HTMLOrSVGElement, ElementCSSInlineStyle {
  hidden: boolean;
  closest<S extends string>(selectors: S): Selected<S>;
  setAttribute(name: string, value: string | number | boolean): void;
}

interface CSSStyleDeclaration {
  setProperty(name: string, value: string | number): void;
}

interface Document {
  getElementById<I extends keyof Identified>(id: I): Identified[I];
  getElementById(id: `${"x" | "y" | "side"}-${string}`): HTMLInputElement;
  getElementById(id: string): HTMLElement;
}

interface DocumentFragment {
  getElementById(id: string): HTMLElement;
}

/** What htmx tells with its events, as far as the scripts ask. */
interface HtmxDetail {
  elt: HTMLElement & HTMLFormElement;
  target: HTMLElement;
  xhr: XMLHttpRequest;
  successful: boolean;
  shouldSwap: boolean;
  headers: Record<string, string>;
  formData: FormData;
  triggeringEvent?: Event & { submitter?: HTMLButtonElement };
  issueRequest(confirmed: boolean): void;
  requestConfig: HtmxRequest;
}

interface HtmxRequest {
  elt: HTMLElement & HTMLButtonElement;
  path: string;
  verb: string;
  headers: Record<string, string>;
  formData: FormData;
  triggeringEvent?: Event;
}

interface Htmx {
  trigger(element: Element, name: string, detail?: object): void;
  swap(target: string, text: string, spec: object, options: object): void;
  process(element: Element): void;
  ajax(verb: string, path: string, context: object): Promise<void>;
}
declare const htmx: Htmx;

interface Window {
  htmx?: Htmx;
  trustedTypes?: TrustedTypes;
}

interface TrustedTypes {
  createPolicy<P extends Record<string, (text: string) => unknown>>(name: string, policy: P): P;
}
declare const trustedTypes: TrustedTypes;

/** What a form sends, by name. */
type Fields = Record<string, string>;
/** What fills the places of a sentence, by name. */
type Values = Record<string, unknown>;

/** Our server's answer with its elements, or why there is none to use. */
type Answer =
  | { status: number; part: HTMLElement; key: string | null; state: string | null; here: string | null }
  | { status: "offline"; part?: undefined }
  | { status: "trouble"; part?: undefined; code: number; closed: boolean };

/** Of an answer: whether it answers an act of the reader, and whether it is a list that replaces the one shown. */
interface ApplyOptions {
  mine?: boolean;
  whole?: boolean;
}

/** A text that was not sent, as this browser keeps it. */
interface Draft {
  place: string;
  text: string;
  time: number;
  key: string;
  opened?: string;
  frame?: string;
  drawing?: string;
  at: number;
}
type NewDraft = Omit<Draft, "place" | "at">;

/** A text that left its box and is not confirmed yet. */
interface Sent {
  key: string;
  text: string;
  time: string;
  reply_to: string;
  frame?: string;
  drawing?: string;
  at: number;
}

/** A form that waits for the connection. A label says what it does where its text does not; `edits`: its draft's place. */
interface Queued {
  key: string;
  action: string;
  fields: Fields;
  label?: string;
  edits?: string;
  at: number;
}

type ShapeKind = "pen" | "arrow" | "rect" | "ellipse" | "number";
/** A shape of a drawing: x and y by turns, from 0 to 10,000. */
interface Shape {
  kind: ShapeKind;
  colour: string;
  points: number[];
}
type PictureSize = [number, number];
/** A drawing as a form sends it. */
interface SketchForm {
  size: PictureSize;
  shapes: Shape[];
}
/** What the history of a drawing goes back to. */
interface SketchState {
  shapes: Shape[];
  chosen: number;
}
interface ShapePhrases extends Record<ShapeKind, string> {
  places: string[];
  starts: string[];
  directions: string[];
  colours: Record<string, string>;
}
/** What the range of a comment uses of its box. */
interface RangedBox {
  check: typeof import("../static/js/review_portal/writing.js").check;
  fields: () => any;
  fill: typeof import("../static/js/review_portal/words.js").fill;
  form: () => HTMLFormElement;
  format: typeof import("../static/js/review_portal/clock.js").format;
  isBegun: () => boolean;
  keep: () => void;
  lock: (on: boolean) => void;
  parse: typeof import("../static/js/review_portal/clock.js").parse;
  range: typeof import("../static/js/review_portal/range.js").range;
  rangeText: typeof import("../static/js/review_portal/range.js").text;
  setRange: typeof import("../static/js/review_portal/range.js").set;
  spans: typeof import("../static/js/review_portal/range.js").spans;
}
/** What drawing uses of the room. */
interface DrawingRoom {
  announce: typeof import("../static/js/review_portal/announce.js").announce;
  fill: typeof import("../static/js/review_portal/words.js").fill;
  format: typeof import("../static/js/review_portal/clock.js").format;
  keep: typeof import("../static/js/review_portal/store.js").keep;
  isPlain: typeof import("../static/js/keyboard.js").isPlain;
  names: typeof import("../static/js/keyboard.js").names;
  parse: typeof import("../static/js/review_portal/clock.js").parse;
  player: typeof import("../static/js/review_portal/player.js").player;
  say: typeof import("../static/js/review_portal/words.js").say;
  setting: typeof import("../static/js/review_portal/store.js").setting;
  toast: typeof import("../static/js/review_portal/announce.js").toast;
}
/** What hands and keys do to a drawing. */
interface Drawn {
  readonly tool: ShapeKind;
  readonly ink: string;
  readonly size: PictureSize;
  readonly sketch: import("../static/js/review_portal/sketch.js").Sketch;
  add(shape: Shape): void;
  alter(how: (shape: Shape, across: number, down: number) => Shape, across: number, down: number): void;
  close(): void;
  next(step: number): boolean;
  place(): void;
  redo(): void;
  remove(): void;
  say(name: string, value: string): void;
  undo(): void;
}

/** What plays the film: the browser, the platform's player in its frame, or nothing. */
interface FilmPlayer extends EventTarget {
  readonly kind: string;
  readonly paused: boolean;
  readonly length: number;
  readonly frame?: number;
  readonly frames?: { length: number };
  time: number;
  speed: number;
  muted?: boolean;
  volume?: number;
  play(): void;
  pause(): void;
  seek(seconds: number): void;
  step(frames: number): void;
  buffered(): [number, number][];
  captions(language: string): void;
  languages(): string[];
  reload?(seconds: number): void;
  full?(): void;
}

/** A compared cut: its place on the page, its number, and what plays it. */
interface ComparedCut {
  pane: HTMLElement;
  number: string;
  film: Film | null;
  isBroken: boolean;
}

/** One of two compared films. `exact`: it stands where it is told, to the frame. `fps`: frames a second, 0 while unknown. */
interface Film extends EventTarget {
  readonly exact: boolean;
  readonly time: number;
  readonly paused: boolean;
  readonly length: number;
  readonly ready: boolean;
  fps: number;
  rate: number;
  sound: boolean;
  play(): void;
  pause(): void;
  seek(seconds: number): void;
  step(frames: number): Promise<void>;
  retry(seconds: number): void;
}

/** What the platform's player says. */
interface PlayerMessage {
  message?: string;
  type?: string;
  currentTime?: number;
  duration?: number;
  playerData?: { duration?: number; paused?: boolean };
}

interface HTMLVideoElement {
  webkitEnterFullscreen?(): void;
}

interface IntersectionObserverInit {
  scrollMargin?: string;
}

/** A link in the bar under the film; one of several comments close together has them as members. */
type Marker = HTMLAnchorElement & { members?: Marker[] };
interface MarkerGroup {
  at: number;
  items: HTMLElement[];
}

/** A form's fields as this browser keeps them. */
interface Kept {
  fields: [string, string][];
  at: number;
  seen: string;
}

interface Place {
  x: number;
  y: number;
}
/** A card of the board. `was`: where the platform has it; `added`: it has it nowhere. */
interface Card extends Place {
  id: string;
  name: string;
  element: HTMLElement;
  fields: { x: HTMLInputElement; y: HTMLInputElement };
  radio: HTMLInputElement | null;
  was: Place;
  added: boolean;
}
/** What the board's history goes back to. */
interface BoardState {
  entry: string;
  places: Map<string, Place>;
}
/** The same as this browser keeps it. */
interface StoredBoard {
  entry: string;
  places: [string, Place][];
}
type Board = import("../static/js/board.js").Board;

/** Events of our own, and htmx's. */
interface PageEvents extends Record<`htmx:${string}`, CustomEvent<HtmxDetail>> {
  "inbox:sent": CustomEvent<{ item: string }>;
  "room:close": CustomEvent<null>;
  "room:closed": CustomEvent<null>;
  "room:drawing": CustomEvent<null>;
  "room:emptied": CustomEvent<null>;
  "room:here": CustomEvent<string | null>;
  "room:rows": CustomEvent<null>;
  "room:thread": CustomEvent<null>;
  "room:draft": CustomEvent<{ place: string; draft: Draft | null }>;
  "room:live": CustomEvent<null>;
  "room:parts": CustomEvent<null>;
  "room:queue": CustomEvent<null>;
  "room:reach": CustomEvent<boolean>;
  "room:reopen": CustomEvent<null>;
  "room:reply": CustomEvent<{ parent: string; text: string }>;
}

/** What events of a page happen to: elements, most of all controls of forms. */
type EventPlace = HTMLElement &
  Partial<
    Pick<HTMLInputElement, "name" | "value" | "checked" | "form"> & Pick<HTMLFormElement, "method" | "requestSubmit">
  >;
type Heard<E> = E & { target: EventPlace; relatedTarget?: Element; submitter?: HTMLButtonElement };
type ListenerOptions = boolean | AddEventListenerOptions;

declare function addEventListener<K extends keyof WindowEventMap>(
  type: K,
  listener: (event: Heard<WindowEventMap[K]>) => void,
  options?: ListenerOptions,
): void;
interface Document {
  addEventListener<K extends keyof (PageEvents & DocumentEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & DocumentEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface Element {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLFormElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLInputElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLButtonElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLTextAreaElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLSelectElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLDialogElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface HTMLAnchorElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface SVGElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}
interface SVGSVGElement {
  addEventListener<K extends keyof (PageEvents & HTMLElementEventMap)>(
    type: K,
    listener: (event: Heard<(PageEvents & HTMLElementEventMap)[K]>) => void,
    options?: ListenerOptions,
  ): void;
}

/** What the room lends to a panel that comes later: see review_portal/given.js. */
type RoomParts = Pick<typeof import("../static/js/review_portal/actions.js"), "opensTab"> &
  Pick<typeof import("../static/js/review_portal/announce.js"), "toast"> &
  Pick<typeof import("../static/js/review_portal/clock.js"), "format"> &
  Pick<typeof import("../static/js/review_portal/composer.js"), "put"> &
  Pick<typeof import("../static/js/review_portal/player.js"), "player"> &
  Pick<typeof import("../static/js/review_portal/sending.js"), "ask"> &
  Pick<typeof import("../static/js/review_portal/live.js"), "tell"> &
  Pick<typeof import("../static/js/review_portal/store.js"), "get" | "set" | "setting"> &
  Pick<typeof import("../static/js/review_portal/words.js"), "fill" | "say" | "table">;
