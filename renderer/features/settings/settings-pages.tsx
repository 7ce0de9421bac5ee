import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
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

const STORAGE_KEY = 'settings-topics'

function readOpen(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/**
 * Returns the open topics, stored in this browser, and a function that folds one or unfolds it. The
 * topic of a page is opened on arrival; the others stay as they are, so that the list does not move
 * under the pointer.
 */
function useOpenTopics(
  page: SettingsPage,
  topic: Section['key'] | undefined,
): readonly [readonly string[], (key: Section['key']) => void] {
  const withTopic = (keys: readonly string[]): readonly string[] =>
    topic === undefined || keys.includes(topic) ? keys : [...keys, topic]
  const [open, setOpen] = useState(() => withTopic(readOpen()))
  const [reached, setReached] = useState(page)
  if (reached !== page) {
    setReached(page)
    setOpen(withTopic(open))
  }
  useEffect(() => {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(open))
    } catch {
      // Without storage the topics stay open until the page is closed.
    }
  }, [open])
  const toggle = (key: Section['key']): void =>
    setOpen(open.includes(key) ? open.filter((each) => each !== key) : [...open, key])
  return [open, toggle]
}

interface FoldableSectionProps {
  readonly section: Section
  readonly page: SettingsPage
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** A topic with its pages; a folded one says in a line what they are about. */
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
          {!isOpen && (
            <span className="block text-small font-normal text-pretty text-muted">
              {t(`settings.sectionTexts.${key}`)}
            </span>
          )}
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
  const [open, toggle] = useOpenTopics(page, topic)
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
                onToggle={() => toggle(key)}
              />
            )
          })}
      {offered('about') && link('about')}
    </>
  )
}
