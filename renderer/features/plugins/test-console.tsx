import { Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PluginTrace } from '#contract/plugins.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { PackageOffer } from './package-offer.tsx'
import type { PluginHook } from './plugin-hooks.ts'
import { type PluginStoreKind, runPlugin, type StoredPlugin } from './plugin-kinds.ts'
import { TraceView } from '../../ui/trace/trace-view.tsx'

interface TestConsoleProps {
  readonly store: PluginStoreKind
  readonly plugin: Pick<StoredPlugin, 'id' | 'hooks' | 'content' | 'requirements'>
  /** Scrolls to a line of the source. */
  readonly onLine: (line: number) => void
  readonly onRan: () => void
  /**
   * Called when a package required by a call was installed: the plugin is to be stored with these
   * requirements.
   */
  readonly onInstalled: (requirements: readonly string[]) => Promise<void>
}

function readArguments(text: string, refusal: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Error(refusal)
  }
}

interface AskedProps {
  readonly hooks: readonly PluginHook[]
  readonly hook: PluginHook
  readonly given: string
  readonly onHook: (name: string) => void
  readonly onGiven: (text: string) => void
}

function Asked({ hooks, hook, given, onHook, onGiven }: AskedProps) {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('plugins.console.hook')}
        hint={hook.description || undefined}
        value={hook.name}
        options={hooks.map(({ name }) => ({ value: name, label: name }))}
        onChange={onHook}
      />
      <TextArea
        label={t('plugins.console.arguments')}
        value={given}
        rows={Math.min(14, Math.max(4, given.split('\n').length))}
        dir="ltr"
        spellCheck={false}
        className="font-mono text-code"
        onChange={onGiven}
      />
    </>
  )
}

/** Console that runs a stored plugin with given arguments and shows everything that happens. */
export function TestConsole({ store, plugin, onLine, onRan, onInstalled }: TestConsoleProps) {
  const { t } = useTranslation()
  const { id, hooks } = plugin
  const [name, setName] = useState('')
  const [given, setGiven] = useState<string | null>(null)
  const [trace, setTrace] = useState<PluginTrace | null>(null)
  const hook = hooks.find((each) => each.name === name) ?? hooks[0]
  const shown = given ?? hook?.example ?? '{}'
  const { busy, problem, handleSubmit } = useAction(async () => {
    setTrace(null)
    setTrace(
      await runPlugin(store, id, {
        hook: hook!.name,
        arguments: readArguments(shown, t('plugins.valves.notJson')),
      }),
    )
    onRan()
  })
  const missing = trace?.error?.missing_package ?? null
  const storing = useAction(async (requirements: readonly string[]) => {
    await onInstalled(requirements)
    setTrace(null)
  })
  return (
    <section aria-labelledby="plugin-console" className="mb-10 flex flex-col gap-4">
      <div>
        <h2 id="plugin-console" className="text-head-1 font-semibold">
          {t('plugins.console.title')}
        </h2>
        <p className="mt-0.5 text-pretty text-muted">{t('plugins.console.text')}</p>
      </div>
      {hook ? (
        <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
          <form onSubmit={handleSubmit} className="flex min-w-0 flex-col gap-4">
            <Asked
              hooks={hooks}
              hook={hook}
              given={shown}
              onGiven={setGiven}
              onHook={(next) => {
                setName(next)
                setGiven(null)
              }}
            />
            <FormProblem text={problem ?? storing.problem} />
            <Button
              type="submit"
              className="self-start"
              busy={busy}
              icon={<Play className="size-4" />}
            >
              {t('plugins.console.run')}
            </Button>
          </form>
          <div aria-live="polite" className="min-w-0">
            {trace ? (
              <div className="flex flex-col gap-3">
                <TraceView trace={trace} onLine={onLine} />
                {missing !== null && (
                  <PackageOffer
                    store={store}
                    packages={[missing]}
                    read={() => Promise.resolve(plugin)}
                    onInstalled={(requirements) => void storing.run(requirements)}
                  />
                )}
              </div>
            ) : (
              <p className="grid h-full min-h-24 place-items-center rounded-medium border border-dashed border-line px-4 text-center text-small text-muted">
                {t(busy ? 'plugins.console.running' : 'plugins.console.nothingYet')}
              </p>
            )}
          </div>
        </div>
      ) : (
        <p className="text-muted">{t('plugins.console.noHook')}</p>
      )}
    </section>
  )
}
