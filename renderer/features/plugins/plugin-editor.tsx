import { ArrowLeft, Link, Upload } from 'lucide-react'
import { type ChangeEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PluginReport } from '#contract/plugins.ts'
import { toSentence } from '../../api/api-error.ts'
import { useAction } from '../../api/use-action.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { AddressDialog } from './address-dialog.tsx'
import { inspectSource, type PluginCalls, type PluginSource, toPluginId } from './plugin-kinds.ts'
import { ReportView } from './report-view.tsx'
import { starterCode } from './starter-code.ts'
import { TestConsole } from './test-console.tsx'

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

interface PluginEditorProps {
  readonly calls: PluginCalls
  /** Empty for a new one. */
  readonly id: string
  /** The address of the list. */
  readonly listPath: string
  readonly onSaved: (id: string) => void
}

type Loaded = PluginSource | { readonly problem: string } | null

function useSource(calls: PluginCalls, id: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>(() =>
    id === '' ? { id: '', name: '', description: '', content: starterCode(calls.store) } : null,
  )
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
  }, [calls, id])
  return loaded
}

interface ImportButtonsProps {
  readonly calls: PluginCalls
  readonly onRead: (name: string, content: string) => void
}

function ImportButtons({ calls, onRead }: ImportButtonsProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isAsking, setAsking] = useState(false)
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (file) onRead(file.name.replace(/\.py$/i, ''), await file.text())
  }
  return (
    <div className="flex flex-wrap gap-2">
      <input ref={input} type="file" accept=".py,text/x-python" hidden data-testid="plugin-file" onChange={(event) => void read(event)} />
      <Button icon={<Upload className="size-4" />} onClick={() => input.current?.click()}>
        {t('plugins.editor.fromFile')}
      </Button>
      <Button icon={<Link className="size-4" />} onClick={() => setAsking(true)}>
        {t('plugins.editor.fromAddress')}
      </Button>
      {isAsking && (
        <AddressDialog
          onLoad={async (url) => {
            const { name, content } = await calls.load(url)
            onRead(name, content)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function Form({ calls, source, onSaved }: { calls: PluginCalls; source: PluginSource; onSaved: (id: string) => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(source)
  const [report, setReport] = useState<PluginReport | null>(null)
  const isNew = source.id === ''
  const change = (values: Partial<PluginSource>): void => setDraft({ ...draft, ...values })
  const inspection = useAction(async () => setReport(await inspectSource(calls.store, draft.content)))
  const saving = useAction(async () => {
    const id = isNew ? draft.id || toPluginId(draft.name) : source.id
    await (isNew ? calls.create({ ...draft, id }) : calls.update({ ...draft, id }))
    toast({ text: t('plugins.editor.saved', { name: draft.name }) })
    onSaved(id)
  })
  const take = (name: string, content: string): void => {
    change({ content, ...(draft.name === '' && { name }) })
    setReport(null)
  }
  return (
    <form onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
      {isNew && <ImportButtons calls={calls} onRead={take} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('plugins.editor.name')}
          value={draft.name}
          required
          dir="auto"
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          label={t('plugins.editor.id')}
          hint={isNew ? t('plugins.editor.idHint') : undefined}
          value={draft.id}
          placeholder={toPluginId(draft.name)}
          disabled={!isNew}
          dir="ltr"
          spellCheck={false}
          onChange={(event) => change({ id: event.target.value })}
        />
      </div>
      <TextField
        label={t('plugins.editor.description')}
        value={draft.description}
        dir="auto"
        onChange={(event) => change({ description: event.target.value })}
      />
      <Suspense fallback={<Spinner className="mx-auto my-8" />}>
        <CodeEditor label={t('plugins.editor.source')} value={draft.content} onChange={(content) => change({ content })} />
      </Suspense>
      <FormProblem text={saving.problem ?? inspection.problem} />
      {report && <ReportView report={report} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-prose text-small text-pretty text-muted">{t('plugins.editor.warning')}</p>
        <div className="flex gap-2">
          <Button busy={inspection.busy} onClick={() => void inspection.run()}>
            {t('plugins.editor.check')}
          </Button>
          <Button tone="primary" type="submit" busy={saving.busy} className="h-control">
            {t('common.save')}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** The source of a plugin with what it is called, a check and a console to try it. */
export function PluginEditor({ calls, id, listPath, onSaved }: PluginEditorProps) {
  const { t } = useTranslation()
  const source = useSource(calls, id)
  const isNew = id === ''
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <a
          href={listPath}
          onClick={handleLink}
          className="inline-flex w-fit items-center gap-1.5 text-ui text-muted no-underline hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
          {t(calls.store === 'tool' ? 'plugins.allTools' : 'plugins.allFunctions')}
        </a>
        <h1 className="text-head-2 font-semibold tracking-[-0.01em]">
          {isNew
            ? t(calls.store === 'tool' ? 'plugins.newTool' : 'plugins.newFunction')
            : (source && 'name' in source && source.name) || id}
        </h1>
      </div>
      {source === null && <Spinner className="mx-auto my-8" />}
      {source && 'problem' in source && <EmptyState title={t('plugins.loadFailed')}>{source.problem}</EmptyState>}
      {source && 'content' in source && (
        <>
          <Form key={source.id} calls={calls} source={source} onSaved={onSaved} />
          {!isNew && <TestConsole store={calls.store} pluginId={id} />}
        </>
      )}
    </div>
  )
}
