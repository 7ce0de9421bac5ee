import { useTranslation } from 'react-i18next'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { toDraft, toInput } from './server-draft.ts'
import { changeServers, createServersStore, importServers, loadServers } from './servers-store.ts'

interface LinkedServerProps {
  readonly name: string
  readonly config: object
  readonly onAdded: () => void
  readonly onCancel: () => void
}

/** Adds the server to the others; the list is stored as a whole, so it has to be loaded first. */
async function addServer(name: string, config: object): Promise<void> {
  const { connections, problems } = await importServers(
    JSON.stringify({ mcpServers: { [name]: config } }),
  )
  if (problems.length > 0) throw new Error(problems.join(' '))
  const store = createServersStore()
  await loadServers(store)
  const { status, problem } = store.getState()
  if (status !== 'ready') throw new Error(problem ?? '')
  await changeServers(store, (list) => [
    ...list,
    ...connections.map((server) => toInput(toDraft(server))),
  ])
}

/** All settings of a tool server requested by a link, with the decision to add it. */
export function LinkedServer({ name, config, onAdded, onCancel }: LinkedServerProps) {
  const { t } = useTranslation()
  const { busy, problem, handleSubmit } = useAction(() => addServer(name, config), onAdded)
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={problem} />
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        dir="ltr"
        className="max-h-80 overflow-auto rounded-medium border border-line bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere"
      >
        {JSON.stringify({ [name]: config }, null, 2)}
      </pre>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t('toolServers.add')}
        </Button>
      </div>
    </form>
  )
}
