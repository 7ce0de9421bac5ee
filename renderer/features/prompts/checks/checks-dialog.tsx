import './strings.ts'
import { Plus } from 'lucide-react'
import { useEffect, useId, useMemo, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Prompt, PromptVersion } from '#contract/prompts.ts'
import { toSentence } from '../../../api/api-error.ts'
import { call, endpoints } from '../../../api/client.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Checkbox } from '../../../ui/controls/checkbox.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { ProgressBar } from '../../../ui/marks/progress-bar.tsx'
import { Select } from '../../../ui/controls/select.tsx'
import { PageWait } from '../../../ui/layout/page-wait.tsx'
import { readVariables } from '../prompt-variables.ts'
import { CaseEditor } from './case-editor.tsx'
import { newCase, toCase, toDraft, type CaseDraft } from './check-draft.ts'
import { ResultsTable } from './results-table.tsx'
import { useCheckRun, type ShownRun } from './use-check-run.ts'

/** A model available for checking the prompt. */
export interface CheckModel {
  readonly id: string
  readonly name: string
}

interface ChecksDialogProps {
  readonly prompt: Prompt
  readonly models: readonly CheckModel[]
  readonly onClose: () => void
}

const MOST_VERSIONS = 5

/** Returns the stored checks and the newest versions of a prompt. */
function useChecks({ id }: Prompt) {
  const [cases, setCases] = useState<readonly CaseDraft[] | null>(null)
  const [versions, setVersions] = useState<readonly PromptVersion[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isWanted = true
    const params = { prompt_id: id }
    Promise.all([
      call(endpoints.promptChecks.get, { params }),
      call(endpoints.prompts.history, { params }),
    ]).then(
      ([checks, history]) => {
        if (!isWanted) return
        setCases(checks.cases.map(toDraft))
        setVersions(history.slice(0, MOST_VERSIONS))
      },
      (thrown: unknown) => isWanted && setProblem(toSentence(thrown)),
    )
    return () => {
      isWanted = false
    }
  }, [id])
  return { cases, setCases, versions, problem, setProblem }
}

interface Option {
  readonly id: string
  readonly name: string
}

/** Multiple selection from a list. */
function Choices({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string
  options: readonly Option[]
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{label}</legend>
      <ul className="flex max-h-48 flex-col overflow-y-auto">
        {options.map(({ id, name }) => (
          <li key={id}>
            <label className="flex items-center gap-2 py-0.5">
              <Checkbox
                checked={chosen.includes(id)}
                onChange={(isChosen) =>
                  onChange(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              <bdi className="min-w-0 truncate">{name}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** Progress of a run, also announced to screen readers. */
function RunState({ run }: { run: ShownRun }) {
  const { t } = useTranslation()
  const { state, results, total } = run
  const passed = results.filter(({ isPassed }) => isPassed).length
  const words =
    state === 'running'
      ? t('promptChecks.progress', { done: results.length, total })
      : state === 'done'
        ? t('promptChecks.result', { passed, failed: results.length - passed })
        : state === 'stopped'
          ? t('promptChecks.stopped')
          : ''
  return (
    <div className="flex flex-col gap-2">
      <output className="block">{words}</output>
      {state === 'running' && (
        <ProgressBar label={words} value={total === 0 ? null : results.length / total} />
      )}
    </div>
  )
}

/** Returns the form's state: the checks, and the models and versions to run them on. */
function useForm({ prompt, models }: ChecksDialogProps) {
  const { t } = useTranslation()
  const checks = useChecks(prompt)
  const [chosenModels, setModels] = useState<readonly string[]>(() =>
    models.slice(0, 1).map(({ id }) => id),
  )
  const [chosenVersions, setVersions] = useState<readonly string[]>([prompt.version_id])
  const [judge, setJudge] = useState('')
  const { run, start, stop } = useCheckRun(prompt.id)
  const { cases, setProblem } = checks
  const [isSaving, setSaving] = useState(false)
  const submit = async (): Promise<void> => {
    setProblem(null)
    setSaving(true)
    try {
      const body = { cases: (cases ?? []).map(toCase) }
      if (prompt.write_access)
        await call(endpoints.promptChecks.save, { params: { prompt_id: prompt.id }, body })
    } catch (thrown) {
      return setProblem(toSentence(thrown))
    } finally {
      setSaving(false)
    }
    await start({
      models: [...chosenModels],
      versions: [...chosenVersions],
      ...(judge && { judge }),
    })
  }
  const versionName = (id: string): string => {
    const version = checks.versions.find((one) => one.id === id)
    if (id === prompt.version_id || !version) return t('promptChecks.current')
    return version.commit_message ?? formatMoment(version.created_at)
  }
  return {
    ...checks,
    chosenModels,
    setModels,
    chosenVersions,
    setVersions,
    judge,
    setJudge,
    run,
    stop,
    isSaving,
    submit,
    versionName,
  }
}

/** Checks of the answers to a prompt, and their results by model and version. */
export function ChecksDialog(props: ChecksDialogProps) {
  const { prompt, models, onClose } = props
  const { t } = useTranslation()
  const formId = useId()
  const form = useForm(props)
  const { cases, setCases, run, versionName } = form
  const blanks = useMemo(
    () => readVariables(prompt.content).map(({ name }) => name),
    [prompt.content],
  )
  const nameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  const isRunning = run.state === 'running'
  const isReady =
    (cases?.length ?? 0) > 0 && form.chosenModels.length > 0 && form.chosenVersions.length > 0
  return (
    <Dialog
      size="page"
      onClose={onClose}
      title={t('promptChecks.title', { name: prompt.name })}
      description={t('promptChecks.text')}
      actions={
        isRunning ? (
          <Button onClick={form.stop}>{t('promptChecks.stop')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('common.close')}</Button>
            <Button
              tone="primary"
              type="submit"
              form={formId}
              busy={form.isSaving}
              disabled={!isReady}
            >
              {prompt.write_access ? t('promptChecks.run') : t('promptChecks.runOnly')}
            </Button>
          </>
        )
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-6"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          event.stopPropagation()
          void form.submit()
        }}
      >
        <FormProblem text={form.problem ?? run.problem} />
        {cases === null && form.problem === null && <PageWait shape="lines" />}
        {cases && (
          <>
            {/* Readers run what the owner wrote. */}
            <fieldset disabled={!prompt.write_access} className="flex min-w-0 flex-col gap-6">
              {cases.length === 0 && <p className="text-muted">{t('promptChecks.none')}</p>}
              {cases.map((draft) => (
                <CaseEditor
                  key={draft.key}
                  draft={draft}
                  blanks={blanks}
                  onChange={(part) =>
                    setCases(cases.map((one) => (one === draft ? { ...one, ...part } : one)))
                  }
                  onRemove={() => setCases(cases.filter((one) => one !== draft))}
                />
              ))}
              <div>
                <Button
                  icon={<Plus className="size-4" />}
                  onClick={() => setCases([...cases, newCase(cases.length + 1)])}
                >
                  {t('promptChecks.add')}
                </Button>
              </div>
            </fieldset>
            <div className="grid gap-6 sm:grid-cols-3">
              <Choices
                label={t('promptChecks.models')}
                options={models}
                chosen={form.chosenModels}
                onChange={form.setModels}
              />
              <Choices
                label={t('promptChecks.versions')}
                options={form.versions.map(({ id }) => ({ id, name: versionName(id) }))}
                chosen={form.chosenVersions}
                onChange={form.setVersions}
              />
              <Select
                label={t('promptChecks.judge')}
                options={[
                  { value: '', label: t('promptChecks.judgeItself') },
                  ...models.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                value={form.judge}
                onChange={form.setJudge}
              />
            </div>
          </>
        )}
      </form>
      <div className="mt-6 flex flex-col gap-4">
        <RunState run={run} />
        {run.results.length > 0 && (
          <ResultsTable
            results={run.results}
            nameOf={nameOf}
            versionOf={form.chosenVersions.length > 1 ? versionName : null}
          />
        )}
      </div>
    </Dialog>
  )
}
