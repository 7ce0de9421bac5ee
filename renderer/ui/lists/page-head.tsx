import { createContext, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'

/** Container beside the page title; undefined if no title is rendered. */
const Place = createContext<HTMLElement | null | undefined>(undefined)

interface PageHeadProps {
  readonly title: string
  /** Mark right after the title. */
  readonly badge?: ReactNode
  readonly children: ReactNode
}

/** The title of a page with space beside it, which the page fills with `HeadTools`. */
export function PageHead({ title, badge, children }: PageHeadProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <>
      <div className="mb-4 flex min-h-primary flex-wrap items-center gap-x-2.5 gap-y-2">
        <h1 className="min-w-0 text-head-2 font-semibold tracking-[-0.01em]">{title}</h1>
        {/* Below the title on phones, where the actions need the width. */}
        {badge && <span className="flex max-sm:order-last max-sm:basis-full">{badge}</span>}
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
