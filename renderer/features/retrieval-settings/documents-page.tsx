import '../../lib/strings/retrieval.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { EngineStateReply } from '#contract/retrieval-engine.ts'
import type { Setting } from '#contract/settings.ts'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import type { OpenDocument } from '../../ui/passages/open-document.ts'
import { SettingRow } from '../../ui/settings/setting-row.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { byKey, type SaveSettings } from '../../ui/settings/settings-store.ts'
import { type DocumentsStore, loadDocuments, loadEngine, saveSettings } from './documents-store.ts'
import { EngineSection } from './engine-section.tsx'
import { IndexSection, ReindexBanner } from './index-section.tsx'
import { findUnplaced, SETTING_PARTS, type PlacedKey } from './setting-groups.ts'
import { SuggestedRerankers } from './suggested-rerankers.tsx'
import { TemplateSection } from './template-section.tsx'
import { TrySection } from './try-section.tsx'

interface DocumentsPageProps {
  readonly store: DocumentsStore
  readonly onChanged: () => void
  readonly onOpenDocument: OpenDocument
}

interface RowsProps {
  readonly settings: readonly Setting[]
  readonly onSave: SaveSettings
}

function Rows({
  settings,
  onSave,
  labelOf,
}: RowsProps & { labelOf?: (setting: Setting) => string }) {
  if (settings.length === 0) return null
  return (
    <ul className="divide-y divide-line rounded-large border border-line bg-raised">
      {settings.map((setting) => (
        <SettingRow
          key={setting.key}
          setting={setting}
          {...(labelOf && { label: labelOf(setting) })}
          onSave={(value) => onSave({ [setting.key]: value })}
        />
      ))}
    </ul>
  )
}

function Parts({ settings, onSave }: RowsProps) {
  const { t } = useTranslation()
  const settingsByKey = byKey(settings)
  const rest = findUnplaced(settings)
  return (
    <>
      {SETTING_PARTS.map(({ part, keys }) => (
        <PageSection
          key={part}
          title={t(`retrieval.parts.${part}.title`)}
          text={t(`retrieval.parts.${part}.text`)}
        >
          {part === 'reranking' && <SuggestedRerankers settings={settings} onSave={onSave} />}
          <Rows
            settings={keys.flatMap((key) => settingsByKey.get(key) ?? [])}
            labelOf={({ key }) => t(`retrieval.labels.${key as PlacedKey}`)}
            onSave={onSave}
          />
        </PageSection>
      ))}
      {rest.length > 0 && (
        <div className="-mt-4 mb-8">
          <FoldOut title={t('retrieval.more')}>
            <Rows settings={rest} onSave={onSave} />
          </FoldOut>
        </div>
      )}
    </>
  )
}

const POLL = 1000

/**
 * Settings for parsing, splitting, embedding and searching documents, and passing them to models.
 */
export function DocumentsPage({ store, onChanged, onOpenDocument }: DocumentsPageProps) {
  const { t } = useTranslation()
  const { settings, engine, problem } = useStore(store)
  const isEmbedding = engine?.reindex != null
  useEffect(() => void loadDocuments(store), [store])
  useEffect(() => {
    if (!isEmbedding) return
    const timer = setInterval(() => void loadEngine(store), POLL)
    return () => clearInterval(timer)
  }, [store, isEmbedding])
  const save: SaveSettings = async (values) => {
    await saveSettings(store, values)
    toast({ text: t('common.saved') })
    onChanged()
  }
  const putEngine = (next: EngineStateReply): void => store.setState({ engine: next })
  if (problem !== null) {
    return (
      <FailedLine
        title={t('retrieval.loadFailed')}
        problem={problem}
        onRetry={() => void loadDocuments(store)}
      />
    )
  }
  if (settings === null) return <PageWait />
  const template = settings.find(({ key }) => key === 'RAG_TEMPLATE')
  return (
    <>
      {engine && <ReindexBanner engine={engine} onState={putEngine} />}
      <EngineSection settings={settings} onSave={save} />
      {engine && <IndexSection engine={engine} onState={putEngine} />}
      <TrySection settings={settings} onOpenDocument={onOpenDocument} />
      <Parts settings={settings} onSave={save} />
      {template && (
        <TemplateSection key={JSON.stringify(template.value)} setting={template} onSave={save} />
      )}
    </>
  )
}
