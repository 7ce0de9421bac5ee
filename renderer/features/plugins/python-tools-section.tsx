import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { hasWords } from '../../lib/has-words.ts'
import { EmptyLine } from '../../ui/lists/empty-line.tsx'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { LoadingRows } from '../../ui/lists/loading-rows.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { PageSection } from '../../ui/layout/page-section.tsx'
import type { PluginEntry } from './plugin-kinds.ts'
import { PluginList, type PluginsPageProps } from './plugin-list.tsx'
import { textOf } from './plugins-store.ts'
import { PythonNote } from './python-note.tsx'

type PythonToolsSectionProps = PluginsPageProps & {
  /** Words that a shown tool contains. */
  readonly query: string
  readonly order: 'name' | 'state'
}

const byName = byText(({ name }: PluginEntry) => name)
const ORDERS = {
  name: byName,
  state: (left: PluginEntry, right: PluginEntry) =>
    Number(left.fault === null) - Number(right.fault === null) || byName(left, right),
}

/** The tools written by users; hidden from those who have none and may write none. */
export function PythonToolsSection({ query, order, ...props }: PythonToolsSectionProps) {
  const { store, admin, mayCreate } = props
  const { t } = useTranslation()
  const { items, status, problem } = useStore(store)
  useEffect(() => void store.load(), [store])
  const shown = items.filter((item) => hasWords(textOf(item), query)).toSorted(ORDERS[order])
  if (!mayCreate && status === 'ready' && items.length === 0) return null
  return (
    <PageSection title={t('plugins.tools')} text={t('plugins.toolsText')}>
      <div className="flex flex-col gap-3">
        {admin && <PythonNote />}
        {status === 'failed' && (
          <FailedLine
            title={t('plugins.loadFailed')}
            problem={problem}
            onRetry={() => void store.load()}
          />
        )}
        {items.length === 0 && (status === 'loading' || status === 'idle') && <LoadingRows />}
        {shown.length > 0 && <PluginList props={props} shown={shown} label={t('plugins.tools')} />}
        {status === 'ready' && shown.length === 0 && (
          <EmptyLine>{t(query.trim() === '' ? 'plugins.noTool' : 'plugins.noMatch')}</EmptyLine>
        )}
      </div>
    </PageSection>
  )
}
