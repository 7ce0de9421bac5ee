import type { ReactNode } from 'react'

const BACK = 'fill-sunken stroke-edge/50 forced-colors:stroke-[CanvasText]'
const FRONT = 'fill-raised stroke-accent/60 forced-colors:stroke-[CanvasText]'
const FAINT = 'stroke-edge/50 forced-colors:stroke-[CanvasText]'
const BRIGHT = 'stroke-accent/70 forced-colors:stroke-[CanvasText]'

/** A line drawing of an empty area, in the colours of the theme. */
function Picture({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 144 80"
      fill="none"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="mb-2 h-20 w-36 overflow-visible"
    >
      {children}
    </svg>
  )
}

/** A message box in which `/` brings a text. */
export const PromptsPicture = () => (
  <Picture>
    <rect x="38" y="6" width="68" height="30" rx="8" className={BACK} />
    <path d="M50 17h30M50 25h42" strokeWidth="3" className={FAINT} />
    <rect x="14" y="44" width="116" height="28" rx="10" className={FRONT} />
    <path d="M28 64l7-12M46 58h30" strokeWidth="3" className={BRIGHT} />
    <circle cx="116" cy="58" r="7" className={BRIGHT} />
    <path d="M116 61v-6m-3 3l3-3 3 3" className={BRIGHT} />
  </Picture>
)

/** A lesson on a board with a cap. */
export const SkillsPicture = () => (
  <Picture>
    <rect x="30" y="20" width="84" height="52" rx="8" className={BACK} />
    <path d="M44 46h34M44 56h52M44 64h24" strokeWidth="3" className={FAINT} />
    <path d="M72 4l34 14-34 14-34-14z" className={FRONT} />
    <path d="M54 25v9c6 6 30 6 36 0v-9M106 18v14" className={BRIGHT} />
  </Picture>
)

/** A clock that sends a message by itself. */
export const AutomationsPicture = () => (
  <Picture>
    <rect x="66" y="18" width="64" height="42" rx="8" className={BACK} />
    <path d="M92 32h26M92 42h18" strokeWidth="3" className={FAINT} />
    <circle cx="48" cy="40" r="30" className={FRONT} />
    <path d="M48 22v18l12 8M48 14v2M48 64v2M22 40h2M72 40h2" className={BRIGHT} />
  </Picture>
)

/** A page with a pencil. */
export const NotesPicture = () => (
  <Picture>
    <rect
      x="34"
      y="10"
      width="56"
      height="64"
      rx="8"
      transform="rotate(-7 62 42)"
      className={BACK}
    />
    <rect x="46" y="6" width="56" height="66" rx="8" className={FRONT} />
    <path d="M58 22h32M58 32h32M58 42h18" strokeWidth="3" className={FAINT} />
    <path d="M82 62l3-10 26-26 7 7-26 26zM105 32l7 7" className={`fill-raised ${BRIGHT}`} />
  </Picture>
)

/** An open book with a marked sentence. */
export const KnowledgePicture = () => (
  <Picture>
    <path d="M20 18c18-6 38-6 52 4v50c-14-10-34-10-52-4z" className={BACK} />
    <path d="M124 18c-18-6-38-6-52 4v50c14-10 34-10 52-4z" className={FRONT} />
    <path
      d="M32 30c10-2 20-1 28 2M32 42c10-2 20-1 28 2M32 54c10-2 20-1 28 2"
      strokeWidth="3"
      className={FAINT}
    />
    <path d="M84 44c8-3 18-4 28-2" strokeWidth="6" className={BRIGHT} />
    <path d="M84 32c8-3 18-4 28-2M84 56c8-3 18-4 28-2" strokeWidth="3" className={FAINT} />
  </Picture>
)

/** A folder with sheets of different kinds. */
export const FilesPicture = () => (
  <Picture>
    <rect
      x="42"
      y="6"
      width="34"
      height="46"
      rx="5"
      transform="rotate(-6 59 29)"
      className={BACK}
    />
    <rect x="72" y="4" width="34" height="46" rx="5" transform="rotate(6 89 27)" className={BACK} />
    <path d="M50 18l16-2M82 14l16 2" strokeWidth="3" className={FAINT} />
    <path
      d="M24 36a6 6 0 0 1 6-6h24l8 8h52a6 6 0 0 1 6 6v24a6 6 0 0 1-6 6h-84a6 6 0 0 1-6-6z"
      className={FRONT}
    />
    <path d="M36 62h24" strokeWidth="3" className={BRIGHT} />
  </Picture>
)

/** A model made of another one. */
export const ModelsPicture = () => (
  <Picture>
    <rect x="16" y="20" width="46" height="42" rx="10" className={BACK} />
    <path d="M30 38v6M48 38v6M39 20v-8" strokeWidth="3" className={FAINT} />
    <path d="M68 41h12m-4-4l4 4-4 4" className={BRIGHT} />
    <rect x="86" y="16" width="46" height="48" rx="10" className={FRONT} />
    <path d="M100 34v6M118 34v6M109 16V8M100 52h18" strokeWidth="3" className={BRIGHT} />
  </Picture>
)

/** A text that passes through a filter. */
export const FunctionsPicture = () => (
  <Picture>
    <rect x="8" y="26" width="38" height="28" rx="8" className={BACK} />
    <path d="M18 36h18M18 44h10" strokeWidth="3" className={FAINT} />
    <path d="M52 40h8M84 40h8" className={BRIGHT} />
    <path d="M58 14h28l-9 22v22l-10 8V36z" className={FRONT} />
    <rect x="98" y="26" width="38" height="28" rx="8" className={BACK} />
    <path d="M108 36h18M108 44h14" strokeWidth="3" className={BRIGHT} />
  </Picture>
)

/** Two answers without names. */
export const ArenaPicture = () => (
  <Picture>
    <rect x="10" y="14" width="58" height="54" rx="10" className={BACK} />
    <rect x="76" y="14" width="58" height="54" rx="10" className={FRONT} />
    <path d="M22 42h34M22 52h24" strokeWidth="3" className={FAINT} />
    <path d="M88 42h34M88 52h24" strokeWidth="3" className={BRIGHT} />
    <path
      d="M36 26a3 3 0 1 1 4 3c-1 .5-1 1-1 2M102 26a3 3 0 1 1 4 3c-1 .5-1 1-1 2"
      className={BRIGHT}
    />
  </Picture>
)
