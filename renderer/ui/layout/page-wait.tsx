import { useTranslation } from 'react-i18next'

const WIDTHS = ['w-28', 'w-44', 'w-36'] as const
const TILES = 6

const Bar = ({ className }: { className: string }) => (
  <span className={`block max-w-full rounded-small bg-hover ${className}`} />
)

const Fields = () => (
  <div className="flex flex-col gap-6">
    {WIDTHS.map((width) => (
      <div key={width} className="flex flex-col gap-2.5">
        <Bar className={`h-3.5 ${width}`} />
        <Bar className="h-primary" />
      </div>
    ))}
  </div>
)

/** Entries of two lines, as they stand in a dialog. */
const Lines = () => (
  <div className="divide-y divide-line">
    {WIDTHS.map((width) => (
      <div key={width} className="flex flex-col gap-2 py-3 first:pt-0">
        <Bar className={`h-3 ${width}`} />
        <Bar className="h-2.5 w-60" />
      </div>
    ))}
  </div>
)

/** Names with their values, then a block of text. */
const Facts = () => (
  <div className="flex flex-col gap-5">
    <div className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3">
      {Array.from({ length: TILES }, (_, place) => (
        <div key={place} className="flex flex-col gap-2">
          <Bar className="h-2.5 w-16" />
          <Bar className="h-3.5 w-24" />
        </div>
      ))}
    </div>
    <Bar className="h-28" />
  </div>
)

/** Tiles with a number each, then charts. */
const Figures = () => (
  <>
    <div className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-3">
      {Array.from({ length: TILES }, (_, place) => (
        <div key={place} className="flex flex-col rounded-large border border-line px-4 py-3">
          <span className="flex h-4.5 items-center">
            <Bar className="h-2.5 w-16" />
          </span>
          <span className="flex h-6.5 items-center">
            <Bar className="h-4 w-12" />
          </span>
        </div>
      ))}
    </div>
    <Bar className="mb-5 h-4 w-28" />
    <div className="flex h-40 items-end gap-6 rounded-large border border-line p-4">
      <Bar className="h-18 flex-1" />
      <Bar className="h-18 flex-1" />
    </div>
  </>
)

const SHAPES = { fields: Fields, lines: Lines, facts: Facts, figures: Figures } as const

/**
 * Placeholder of a page or a dialog that is being loaded, in the shape of what comes. Nothing of it
 * is visible at first, so that a page that arrives at once does not flicker.
 */
export function PageWait({ shape = 'fields' }: { shape?: keyof typeof SHAPES }) {
  const { t } = useTranslation()
  const Shape = SHAPES[shape]
  return (
    <div className="animate-late">
      <p className="sr-only">{t('common.loading')}</p>
      <div aria-hidden="true">
        <Shape />
      </div>
    </div>
  )
}
