import { createContext, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'

/** Container beside the page title; undefined if no title is rendered. */
const Place = createContext<HTMLElement | null | undefined>(undefined)

interface PageHeadProps {
  readonly title: string
  /** Mark right after the title. */
  readonly badge?: ReactNode
  /** True if a bar above shows the title on phones, where it is then only read out here. */
  readonly isNamedAbove?: boolean
  readonly children: ReactNode
}

/** The title of a page with space beside it, which the page fills with `HeadTools`. */
export function PageHead({ title, badge, isNamedAbove = false, children }: PageHeadProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <>
      <div
        className={classNames(
          'mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-2 md:min-h-primary',
          isNamedAbove ? 'max-md:mb-2.5' : 'min-h-primary',
        )}
      >
        <h1
          className={classNames(
            'min-w-0 text-head-2 font-semibold tracking-[-0.01em]',
            isNamedAbove && 'max-md:sr-only',
          )}
        >
          {title}
        </h1>
        {badge && <span className="flex">{badge}</span>}
        <div ref={setPlace} className="contents" />
      </div>
      <Place value={place}>{children}</Place>
    </>
  )
}

/** Renders the number of entries and the actions beside the page title. */
export function HeadTools({ count, children }: { count: number | null; children?: ReactNode }) {
  const { t } = useTranslation()
  const place = useContext(Place)
  const tools = (
    <>
      {count !== null && (
        <p className="rounded-full bg-hover px-2 py-px text-small text-muted tabular-nums">
          <span aria-hidden="true">{count.toLocaleString()}</span>
          <span className="sr-only">{t('lists.count', { count })}</span>
        </p>
      )}
      <div className="ms-auto flex shrink-0 items-center gap-1.5">{children}</div>
    </>
  )
  if (place === undefined) return <div className="mb-2 flex items-center gap-2.5">{tools}</div>
  return place && createPortal(tools, place)
}
