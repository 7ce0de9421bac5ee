import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import type { MarkPaths } from './mark-drawings.ts'

interface MarkTileProps {
  readonly className: string
  readonly children?: ReactNode
}

/** A quiet tile for a mark; decorative, as the name is beside it. */
export const MarkTile = ({ className, children }: MarkTileProps) => (
  <span
    aria-hidden="true"
    data-mark=""
    className={classNames(
      'grid shrink-0 place-items-center rounded-medium bg-hover text-ink [&>svg]:size-[64%]',
      className,
    )}
  >
    {children}
  </span>
)

/** A mark in the colour of the text. */
export const MarkDrawing = ({ paths }: { paths: MarkPaths }) => (
  <svg viewBox="0 0 24 24" className="fill-current" fillRule="evenodd">
    {paths.map(([path, opacity]) => (
      <path key={path} d={path} opacity={opacity} />
    ))}
  </svg>
)
