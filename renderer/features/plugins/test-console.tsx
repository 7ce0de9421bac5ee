import { Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PluginTrace } from '#contract/plugins.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextArea, TextField } from '../../ui/text-field.tsx'
import { type PluginStoreKind, runPlugin } from './plugin-kinds.ts'
import { TraceView } from './trace-view.tsx'

/** Tries a stored plugin: arguments in, everything that happens out. */
export function TestConsole({ store, pluginId }: { store: PluginStoreKind; pluginId: string }) {
  const { t } = useTranslation()
  const [hook, setHook] = useState(store === 'tool' ? '' : 'inlet')
  const [given, setGiven] = useState('{}')
  const [trace, setTrace] = useState<PluginTrace | null>(null)
  const { busy, problem, handleSubmit } = useAction(async () => {
    let parsed: unknown
    try {
      parsed = JSON.parse(given)
    } catch {
      throw new Error(t('plugins.valves.notJson'))
    }
    setTrace(await runPlugin(store, pluginId, { hook: hook.trim(), arguments: parsed as Record<string, unknown> }))
  })
  return (
    <section aria-labelledby="plugin-console" className="flex flex-col gap-3">
      <h2 id="plugin-console" className="text-head-1 font-semibold">
        {t('plugins.console.title')}
      </h2>
      <p className="text-small text-muted">{t(store === 'tool' ? 'plugins.console.textTool' : 'plugins.console.textFunction')}</p>
      <form onSubmit={handleSubmit} className="flex flex-col gap-3">
        <TextField
          label={t('plugins.console.hook')}
          value={hook}
          required
          dir="ltr"
          spellCheck={false}
          onChange={(event) => setHook(event.target.value)}
        />
        <TextArea
          label={t('plugins.console.arguments')}
          value={given}
          rows={5}
          dir="ltr"
          spellCheck={false}
          className="font-mono text-code"
          onChange={(event) => setGiven(event.target.value)}
        />
        <FormProblem text={problem} />
        <Button type="submit" className="self-start" busy={busy} icon={<Play className="size-4" />}>
          {t('plugins.console.run')}
        </Button>
      </form>
      {trace && <TraceView trace={trace} />}
    </section>
  )
}
