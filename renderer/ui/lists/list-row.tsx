import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { Badge } from '../marks/badge.tsx'
import { Checkbox } from '../controls/checkbox.tsx'

/** Container of the entries of a list. */
export function Rows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised"
    >
      {children}
    </ul>
  )
}

/** Icon in the place of a picture. */
export function RowMark({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center rounded-medium bg-hover text-muted [&_svg]:size-4.5 [&_svg]:stroke-[1.7]"
    >
      {children}
    </span>
  )
}

export interface ListRowProps {
  /** Picture of the entry, if it has one. */
  readonly mark?: ReactNode
  /** Icon of an entry without a picture. */
  readonly icon?: ReactNode
  readonly name: string
  /** True if free text replaces the name: shown in full, with its line breaks. */
  readonly isText?: boolean
  /** Target of a click on the row. */
  readonly href?: string
  /** Called on a click on the row. */
  readonly onOpen?: () => void
  /** Content right after the name, such as a command. */
  readonly aside?: ReactNode
  readonly badges?: ReactNode
  readonly tags?: readonly string[]
  readonly description?: ReactNode
  /** Short facts on one line; empty ones are left out. */
  readonly facts?: readonly ReactNode[]
  /** Content that needs more space, such as an error with an action. */
  readonly children?: ReactNode
  /** Controls before the menu. */
  readonly controls?: ReactNode
  readonly menu?: ReactNode
  /** For lists with multiple selection. */
  readonly choice?: {
    readonly label: string
    readonly checked: boolean
    readonly onChange: (checked: boolean) => void
  }
}

const NAME = 'max-w-full truncate text-start font-medium text-ink no-underline'
/** The whole row is clickable, while only the name is the link for screen readers. */
const WHOLE_ROW =
  'after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent forced-colors:focus-visible:after:outline-[Highlight]'

function RowName({
  name,
  isText,
  href,
  onOpen,
}: Pick<ListRowProps, 'name' | 'isText' | 'href' | 'onOpen'>) {
  if (isText) return <bdi className="min-w-0 whitespace-pre-wrap wrap-anywhere">{name}</bdi>
  if (href !== undefined)
    return (
      <a href={href} onClick={handleLink} className={classNames(NAME, WHOLE_ROW)}>
        <bdi>{name}</bdi>
      </a>
    )
  if (onOpen)
    return (
      <button type="button" onClick={onOpen} className={classNames(NAME, WHOLE_ROW)}>
        <bdi>{name}</bdi>
      </button>
    )
  return <bdi className={NAME}>{name}</bdi>
}

function Facts({ facts }: { facts: readonly ReactNode[] }) {
  const shown = facts.filter(
    (fact) => fact !== null && fact !== undefined && fact !== '' && fact !== false,
  )
  if (shown.length === 0) return null
  return (
    <p className="mt-0.5 overflow-hidden text-small text-muted">
      <span className="-ms-4 flex flex-wrap items-center">
        {shown.map((fact, place) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- facts have no other key
            key={place}
            className="relative min-w-0 ps-4 wrap-anywhere"
          >
            {/* Before the first one of a line it is cut off. */}
            {place > 0 && <span className="absolute start-1.5">{' · '}</span>}
            {fact}
          </span>
        ))}
      </span>
    </p>
  )
}

/** One entry of a list, uniform on all pages. */
export function ListRow(props: ListRowProps) {
  const { icon, mark, name, href, onOpen, badges, tags = [], description, facts = [] } = props
  const { aside, children, controls, menu, choice } = props
  const isOpened = href !== undefined || onOpen !== undefined
  return (
    <li
      className={classNames(
        'relative flex items-start gap-3 py-3 ps-3 pe-2 [contain-intrinsic-size:auto_3.75rem] [content-visibility:auto] sm:ps-4',
        isOpened && 'hover:bg-hover',
      )}
    >
      {choice && (
        <span className="relative -me-1 flex h-9 items-center pointer-coarse:-ms-2">
          <Checkbox {...choice} />
        </span>
      )}
      {icon ? <RowMark>{icon}</RowMark> : mark}
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <RowName name={name} isText={props.isText === true} href={href} onOpen={onOpen} />
          {aside}
          {badges}
          {tags.map((tag) => (
            <Badge key={tag}>
              <bdi className="max-w-40 truncate">{tag}</bdi>
            </Badge>
          ))}
        </div>
        {description && (
          <bdi className="mt-0.5 line-clamp-2 text-small text-pretty wrap-anywhere text-muted">
            {description}
          </bdi>
        )}
        <Facts facts={facts} />
        {children && <div className="relative mt-1.5">{children}</div>}
      </div>
      {(controls || menu) && (
        <div className="relative flex min-h-9 shrink-0 items-center gap-1.5">
          {controls}
          {menu}
        </div>
      )}
    </li>
  )
}
