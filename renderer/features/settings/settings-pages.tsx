import { ChevronDown } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import type { SettingsPage } from '../../lib/router.ts'
import { SettingsLink } from './settings-link.tsx'

/** Pages by topic. Headings are shown only to those who have pages of more than one topic. */
const SECTIONS: readonly {
  readonly key: 'personal' | 'models' | 'people' | 'system' | 'activity'
  readonly pages: readonly SettingsPage[]
}[] = [
  {
    key: 'personal',
    pages: [
      'account',
      'appearance',
      'voice',
      'memories',
      'keys',
      'data',
      'time-machine',
      'desktop',
    ],
  },
  {
    key: 'models',
    pages: ['connections', 'doctor', 'local-models', 'documents', 'pictures', 'speech', 'code'],
  },
  {
    key: 'people',
    pages: ['users', 'groups', 'permissions', 'single-sign-on', 'directory'],
  },
  { key: 'system', pages: ['gateway', 'sharing', 'outgoing', 'announcements'] },
  { key: 'activity', pages: ['analytics', 'requests', 'webhooks', 'api'] },
]
type Section = (typeof SECTIONS)[number]

/** Returns true for pages available to the user. */
export type Offered = (page: SettingsPage) => boolean

/**
 * Names of the pages of a folded topic, in at most two lines. Names that do not fit are left out as
 * a whole; the dots at the beginning of a line are outside the box.
 */
function PageNames({ pages }: { pages: readonly SettingsPage[] }) {
  const { t } = useTranslation()
  return (
    <span
      aria-hidden="true"
      className="block max-h-[2lh] overflow-hidden text-small font-normal text-muted"
    >
      <span className="-ms-3 flex flex-wrap">
        {pages.map((each) => (
          <span
            key={each}
            className="max-w-full truncate before:inline-block before:w-3 before:text-center before:content-['·']"
          >
            {t(`settings.pages.${each}`)}
          </span>
        ))}
      </span>
    </span>
  )
}

interface FoldableSectionProps {
  readonly section: Section
  readonly page: SettingsPage
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** A topic with its pages; a folded one names them in a line, so that it need not be opened. */
function FoldableSection({
  section: { key, pages },
  page,
  isOpen,
  onToggle,
}: FoldableSectionProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="mb-1.5 flex shrink-0 flex-col gap-px">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        className={classNames(
          'flex w-full items-center gap-2 rounded-medium px-2.5 py-1.5 text-start hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
          isOpen && 'text-muted',
        )}
      >
        <span className="min-w-0 flex-1">
          <span className="block text-small font-semibold">{t(`settings.sections.${key}`)}</span>
          {!isOpen && <PageNames pages={pages} />}
        </span>
        <ChevronDown
          aria-hidden="true"
          className={classNames(
            'size-3.5 shrink-0 text-muted transition-transform duration-(--motion-in)',
            !isOpen && '-rotate-90 rtl:rotate-90',
          )}
        />
      </button>
      <div id={id} hidden={!isOpen} className={isOpen ? 'flex flex-col gap-px' : undefined}>
        {pages.map((each) => (
          <SettingsLink key={each} page={each} current={each === page}>
            {t(`settings.pages.${each}`)}
          </SettingsLink>
        ))}
      </div>
    </div>
  )
}

/** All pages. The topics visited are open until they are folded by hand. */
export function SettingsPages({ page, offered }: { page: SettingsPage; offered: Offered }) {
  const { t } = useTranslation()
  const sections = SECTIONS.map((section) => ({
    ...section,
    pages: section.pages.filter(offered),
  })).filter(({ pages }) => pages.length > 0)
  const topic = sections.find(({ pages }) => pages.includes(page))?.key
  const [open, setOpen] = useState<readonly (Section['key'] | undefined)[]>([topic])
  const [reached, setReached] = useState(page)
  if (reached !== page) {
    setReached(page)
    // The other topics stay as they are, so that the list does not move under the pointer.
    if (!open.includes(topic)) setOpen([...open, topic])
  }
  const link = (each: SettingsPage): ReactNode => (
    <SettingsLink key={each} page={each} current={each === page}>
      {t(`settings.pages.${each}`)}
    </SettingsLink>
  )
  return (
    <>
      {sections.length === 1
        ? sections[0]?.pages.map(link)
        : sections.map((section) => {
            const { key } = section
            const isOpen = open.includes(key)
            return (
              <FoldableSection
                key={key}
                section={section}
                page={page}
                isOpen={isOpen}
                onToggle={() =>
                  setOpen(isOpen ? open.filter((each) => each !== key) : [...open, key])
                }
              />
            )
          })}
      {offered('about') && link('about')}
    </>
  )
}
