import { ArrowLeft } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toSentence } from '../../api/api-error.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import type { WantedLine } from './code-editor.tsx'
import { CallsSection } from './calls-section.tsx'
import { PluginForm } from './plugin-form.tsx'
import type { PluginCalls, StoredPlugin } from './plugin-kinds.ts'
import { starterCode } from './starter-code.ts'
import { TestConsole } from './test-console.tsx'
import type { PluginEditorProps } from './plugin-editor-props.ts'

type Loaded = StoredPlugin | { readonly problem: string } | null

const newPlugin = (calls: PluginCalls): StoredPlugin => ({
  id: '',
  name: '',
  description: '',
  content: starterCode(calls.store),
  requirements: [],
  grants: [],
  type: 'tool',
  hooks: [],
})

/**
 * Returns the stored plugin; `take` replaces it by the result of saving, `reload` loads it again.
 */
function useStored(calls: PluginCalls, id: string) {
  const [loaded, setLoaded] = useState<Loaded>(() => (id === '' ? newPlugin(calls) : null))
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (id === '') return
    let isWanted = true
    calls.read(id).then(
      (source) => isWanted && setLoaded(source),
      (thrown: unknown) => isWanted && setLoaded({ problem: toSentence(thrown) }),
    )
    return () => {
      isWanted = false
    }
  }, [calls, id, attempt])
  const reload = (): void => {
    setLoaded(null)
    setAttempt(attempt + 1)
  }
  return { loaded, take: setLoaded, reload }
}

interface RunsProps {
  readonly calls: PluginCalls
  readonly plugin: StoredPlugin
  readonly onLine: (line: number) => void
  readonly onStored: (saved: StoredPlugin) => void
}

/** Results of the last try and earlier calls, with links from a traceback to its source line. */
function Runs({ calls, plugin, onLine, onStored }: RunsProps) {
  const [runs, setRuns] = useState(0)
  return (
    <>
      <TestConsole
        store={calls.store}
        plugin={plugin}
        onLine={onLine}
        onRan={() => setRuns((count) => count + 1)}
        onInstalled={async (requirements) =>
          onStored(await calls.update({ ...plugin, requirements }, plugin.updatedAt))
        }
      />
      <CallsSection key={runs} store={calls.store} pluginId={plugin.id} onLine={onLine} />
    </>
  )
}

/** The source of a plugin with its name, a check, a console to try it and its last calls. */
export function PluginEditor(props: PluginEditorProps) {
  const { calls, id, listPath, onSaved } = props
  const { t } = useTranslation()
  const { loaded, take, reload } = useStored(calls, id)
  const [wanted, setWanted] = useState<WantedLine | null>(null)
  const isTool = calls.store === 'tool'
  const isNew = id === ''
  const title = isNew
    ? t(isTool ? 'plugins.newTool' : 'plugins.newFunction')
    : (loaded && 'name' in loaded && loaded.name) || id
  const handleLine = useCallback((line: number) => setWanted({ line }), [])
  return (
    <div className="flex flex-col">
      <a
        href={listPath}
        onClick={handleLink}
        className="-ms-2 mb-1 inline-flex h-control w-fit items-center gap-2 rounded-medium px-2 text-muted no-underline hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
      >
        <ArrowLeft className="size-4 rtl:-scale-x-100" />
        {t(isTool ? 'plugins.allTools' : 'plugins.allFunctions')}
      </a>
      {loaded && 'content' in loaded ? (
        <>
          <PluginForm
            {...props}
            key={loaded.id}
            title={title}
            stored={loaded}
            wanted={wanted}
            onStored={(saved) => {
              if (!isNew) take(saved)
              onSaved(saved.id)
            }}
          />
          {!isNew && <Runs calls={calls} plugin={loaded} onLine={handleLine} onStored={take} />}
        </>
      ) : (
        <>
          <h1 className="text-head-2 font-semibold tracking-[-0.01em] wrap-anywhere">{title}</h1>
          {loaded === null && <PageWait />}
          {loaded && 'problem' in loaded && (
            <EmptyState
              title={t('plugins.editor.loadFailed')}
              action={<Button onClick={reload}>{t('common.retry')}</Button>}
            >
              {loaded.problem}
            </EmptyState>
          )}
        </>
      )}
    </div>
  )
}
