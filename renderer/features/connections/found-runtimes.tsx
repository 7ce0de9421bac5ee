import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { LocalRuntime } from '#contract/connections.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { connectLocal, findLocalRuntimes, type ConnectionsStore } from './connections-store.ts'
import { ConnectionMark } from './provider-mark.tsx'
import { isAtGateway } from '../../lib/is-at-gateway.ts'

interface RowProps {
  readonly runtime: LocalRuntime
  readonly isMain: boolean
  readonly busy: boolean
  readonly onConnect: () => void
}

function Row({ runtime, isMain, busy, onConnect }: RowProps) {
  const { t } = useTranslation()
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <ConnectionMark url={runtime.url} kind="runtime" />
      <div className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{runtime.name}</bdi>
        <p className="flex flex-wrap gap-x-1.5 text-small text-muted">
          <span>{t('connections.state.ok', { count: runtime.model_count })}</span>
          <span dir="ltr" className="min-w-0 truncate">
            {runtime.url}
          </span>
        </p>
      </div>
      <Button
        tone={isMain ? 'primary' : 'secondary'}
        busy={busy}
        aria-label={t('connections.connectNamed', { name: runtime.name })}
        onClick={onConnect}
      >
        {t('connections.connect')}
      </Button>
    </li>
  )
}

interface FoundRuntimesProps {
  readonly store: ConnectionsStore
  /** True if connecting the first one is the primary action of the page. */
  readonly isMain?: boolean
  readonly onConnected: () => void
}

/** Runtimes on the gateway's computer, each with a button to connect it. */
export function FoundRuntimes({ store, isMain = false, onConnected }: FoundRuntimesProps) {
  const { t } = useTranslation()
  const local = useStore(store, (state) => state.local)
  useEffect(() => void findLocalRuntimes(store), [store])
  const [chosen, setChosen] = useState<string | null>(null)
  // Kept here rather than in the row, which is removed once its runtime is connected.
  const connecting = useAction((runtime: LocalRuntime) => {
    setChosen(runtime.url)
    return connectLocal(store, runtime)
  }, onConnected)
  if (!local || local.length === 0) return null
  const title = t(isAtGateway() ? 'connections.foundHere' : 'connections.foundAtGateway')
  return (
    <section aria-label={title} className="mb-4">
      <p className="mb-2 text-small text-muted">{title}</p>
      <FormProblem text={connecting.problem} />
      <ul className="divide-y divide-line rounded-large border border-line bg-raised">
        {local.map((runtime, index) => (
          <Row
            key={runtime.url}
            runtime={runtime}
            isMain={isMain && index === 0}
            busy={connecting.busy && chosen === runtime.url}
            onConnect={() => void connecting.run(runtime)}
          />
        ))}
      </ul>
    </section>
  )
}
