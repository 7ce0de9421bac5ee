import type { ReactNode } from 'react'

/** Drawing of the list's future entries, with their icon. */
function Drawing({ icon }: { icon: ReactNode }) {
  return (
    <span aria-hidden="true" className="relative mb-2 block h-20 w-36">
      <svg viewBox="0 0 144 80" className="absolute inset-0 size-full overflow-visible">
        <g className="fill-sunken stroke-edge/50 forced-colors:stroke-[CanvasText]">
          <rect x="12" y="22" width="60" height="44" rx="8" transform="rotate(-9 42 44)" />
          <rect x="72" y="22" width="60" height="44" rx="8" transform="rotate(9 102 44)" />
        </g>
        <g className="stroke-edge/50" strokeWidth="3" strokeLinecap="round">
          <path d="M22 40 l8 -1.3" />
          <path d="M23 48 l10 -1.6" />
          <path d="M122 39 l-8 -1.3" />
          <path d="M121 47 l-10 -1.6" />
        </g>
        <rect
          x="42"
          y="8"
          width="60"
          height="60"
          rx="12"
          className="fill-raised stroke-accent/60 forced-colors:stroke-[CanvasText]"
        />
        <g className="stroke-accent/70" strokeWidth="2.5" strokeLinecap="round">
          <path d="M113 6 v-5" />
          <path d="M119 10 l4 -4" />
          <path d="M122 17 h5" />
        </g>
      </svg>
      <span className="absolute inset-x-0 top-2 mx-auto grid size-15 place-items-center text-accent [&_svg]:size-7 [&_svg]:stroke-[1.6]">
        {icon}
      </span>
    </span>
  )
}

interface EmptyListProps {
  /** Sign of the area, in the drawing all areas share. */
  readonly icon?: ReactNode
  /** A drawing of its own instead, from `empty-pictures.tsx`. */
  readonly picture?: ReactNode
  readonly title: string
  /** Purpose of the list. */
  readonly children?: ReactNode
  /** Action for the first step. */
  readonly action?: ReactNode
}

/** Placeholder of an empty list. */
export function EmptyList({ icon, picture, title, children, action }: EmptyListProps) {
  return (
    <div className="flex flex-col items-center rounded-large border border-dashed border-edge/50 px-6 py-10 text-center">
      {picture ?? <Drawing icon={icon} />}
      <p className="font-medium">{title}</p>
      {children && (
        <div className="mt-1 max-w-md text-small text-pretty text-muted">{children}</div>
      )}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
