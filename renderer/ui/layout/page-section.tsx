import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'

interface PageSectionProps {
  readonly title?: string
  readonly text?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}

/**
 * A section of a page, titled unless it is the only one, with at most one action beside the title.
 */
export function PageSection({ title, text, action, children }: PageSectionProps) {
  return (
    <section className="mb-10">
      {(title || text || action) && (
        <div
          className={classNames(
            'mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2',
            // Without a title of its own the text belongs to that of the page.
            !title && 'md:-mt-2',
          )}
        >
          <div className="min-w-0 flex-1 basis-64">
            {title && <h2 className="text-head-1 font-semibold">{title}</h2>}
            {text && (
              <p className={classNames('text-ui text-pretty text-muted', title && 'mt-0.5')}>
                {text}
              </p>
            )}
          </div>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
