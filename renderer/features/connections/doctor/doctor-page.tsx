import '../../../lib/strings/connections.ts'
import '../../../lib/strings/doctor.ts'
import { Plug } from 'lucide-react'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Connection } from '#contract/connections.ts'
import type { DoctorStep } from '#contract/doctor.ts'
import { connectionPath, doctorPath, navigate } from '../../../lib/router.ts'
import { formatRecent } from '../../../lib/format-time.ts'
import { EmptyList } from '../../../ui/lists/empty-list.tsx'
import { ListRow, Rows } from '../../../ui/lists/list-row.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../../ui/layout/page-section.tsx'
import { Select } from '../../../ui/controls/select.tsx'
import { PageWait } from '../../../ui/layout/page-wait.tsx'
import { toast } from '../../../ui/floating/toast.tsx'
import { StateBadge } from '../connection-card.tsx'
import { nameOfConnection, variableOf } from '../connection-name.ts'
import { isEditable, saveConnection, toInput, type ConnectionsStore } from '../connections-store.ts'
import { ConnectionMark } from '../provider-mark.tsx'
import { DoctorWalk } from './doctor-walk.tsx'
import { isAround, mendAround, type MendChange } from './mend-change.ts'
import type { Examined } from './use-walk.ts'

interface DoctorPageProps {
  readonly store: ConnectionsStore
  /** Id or name of the connection that a link refers to. */
  readonly about: string | null
  readonly step: DoctorStep | null
  /** Called on every change, to update the model list. */
  readonly onChanged: () => void
}

const failsFirst = (connections: readonly Connection[]): Connection | undefined =>
  connections.find(({ state }) => state.status === 'failed') ?? connections[0]

function Examination({
  store,
  connection,
  step,
  onChanged,
}: Omit<DoctorPageProps, 'about'> & { connection: Connection }) {
  const { t } = useTranslation()
  const { id } = connection
  const mend = async (change: MendChange): Promise<Examined> => {
    if (isAround(change)) {
      await mendAround(change)
      onChanged()
      return { input: toInput(connection), id }
    }
    await saveConnection(store, { ...toInput(connection), ...change }, id)
    toast({ text: t('doctor.mended') })
    onChanged()
    const { key: _, ...changed } = change
    return { input: { ...toInput(connection), ...changed }, id }
  }
  return (
    <DoctorWalk
      input={toInput(connection)}
      id={id}
      asked={step}
      fixedBy={connection.origin === 'stored' ? null : variableOf(connection)}
      onEdit={isEditable(connection) ? () => navigate(connectionPath(id)) : null}
      onMend={mend}
    />
  )
}

/** The other connections with their last result, each a way to its check. */
function OtherConnections({ connections }: { connections: readonly Connection[] }) {
  const { t } = useTranslation()
  const id = useId()
  if (connections.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 font-medium">
        {t('doctor.others')}
      </h2>
      <Rows label={t('doctor.others')}>
        {connections.map((connection) => (
          <ListRow
            key={connection.id}
            mark={<ConnectionMark url={connection.url} kind={connection.kind} />}
            name={nameOfConnection(connection)}
            badges={<StateBadge connection={connection} />}
            facts={[
              connection.state.checked_at !== null &&
                t('doctor.checked', { when: formatRecent(connection.state.checked_at) }),
            ]}
            href={doctorPath(connection.id)}
          />
        ))}
      </Rows>
    </section>
  )
}

/** Checks a connection step by step; links in error messages open the related step. */
export function DoctorPage({ store, about, step, onChanged }: DoctorPageProps) {
  const { t } = useTranslation()
  const { items, status, problem } = useStore(store)
  useEffect(() => void store.load(), [store])
  const named = items.find(({ id, name }) => id === about || name === about)
  const connection = named ?? failsFirst(items)
  if (status === 'loading' && items.length === 0) return <PageWait />
  return (
    <PageSection text={t('doctor.text')}>
      <FormProblem text={problem} />
      {connection ? (
        <div className="flex flex-col gap-5">
          <Select
            label={t('doctor.which')}
            value={connection.id}
            onChange={(value) => navigate(doctorPath(value), { replace: true })}
            options={items.map((item) => ({
              value: item.id,
              label: nameOfConnection(item),
              isExempt: true,
            }))}
          />
          <Examination
            key={connection.id}
            store={store}
            connection={connection}
            step={step}
            onChanged={onChanged}
          />
          <OtherConnections connections={items.filter(({ id }) => id !== connection.id)} />
        </div>
      ) : (
        <EmptyList icon={<Plug />} title={t('doctor.none')}>
          {t('doctor.noneText')}
        </EmptyList>
      )}
    </PageSection>
  )
}
