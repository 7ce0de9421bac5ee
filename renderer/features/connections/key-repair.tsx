import '../../lib/strings/connections.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connections.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { connectionPath, navigate } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SecretField } from '../../ui/fields/text-field.tsx'
import { GatewaySentence } from '../../ui/marks/gateway-sentence.tsx'
import { fromDraft, toDraft } from './connection-draft.ts'

/**
 * Returns the connection of a name; undefined while it is unknown, null if there is not exactly one.
 */
function useConnection(name: string): Connection | null | undefined {
  const [connection, setConnection] = useState<Connection | null>()
  useEffect(() => {
    const abort = new AbortController()
    call(endpoints.connections.list, {}, { signal: abort.signal }).then(
      (connections) => {
        const [found, second] = connections.filter((each) => each.name === name)
        setConnection(second === undefined ? (found ?? null) : null)
      },
      () => setConnection(null),
    )
    return () => abort.abort()
  }, [name])
  return connection
}

interface KeyRepairProps {
  /** Name of the connection whose key was rejected. */
  readonly connection: string
  /** Called once a key that the provider accepts is stored. */
  readonly onRepaired: () => void
  /** Further actions, beside the one that saves. */
  readonly children: ReactNode
}

/**
 * Replaces the rejected key of a connection. The new key is tried before it is stored. Where the
 * connection is not found, leads to the connections instead.
 */
export function KeyRepair({ connection: name, onRepaired, children }: KeyRepairProps) {
  const { t } = useTranslation()
  const connection = useConnection(name)
  const [key, setKey] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const { busy, problem, handleSubmit } = useAction(
    async () => {
      setRefusal(null)
      if (!connection) return false
      const body = fromDraft({ ...toDraft(connection), key })
      const check = await call(endpoints.connections.verify, {
        body: { ...body, id: connection.id },
      })
      if (!check.ok) {
        setRefusal(check.detail)
        return false
      }
      await call(endpoints.connections.update, { params: { connection_id: connection.id }, body })
      setKey('')
      return true
    },
    (isRepaired) => isRepaired && onRepaired(),
  )
  const isEmpty = key.trim() === ''
  if (connection === null)
    return (
      <div className="mt-2 flex flex-wrap items-center gap-1.5 max-sm:*:first:grow">
        <Button tone="primary" onClick={() => navigate(connectionPath(name))}>
          {t('chat.error.checkConnection')}
        </Button>
        {children}
      </div>
    )
  return (
    <form
      className="mt-2 flex max-w-md flex-col gap-2 text-ink"
      onSubmit={(event) => {
        if (isEmpty || busy || !connection) event.preventDefault()
        else handleSubmit(event)
      }}
    >
      <SecretField
        label={t('connections.key')}
        hint={t('failures.replacesKey', { name })}
        value={key}
        autoComplete="off"
        dir="ltr"
        onChange={(value) => {
          setKey(value)
          setRefusal(null)
        }}
      />
      <div role="alert" className="text-danger wrap-anywhere empty:hidden">
        {refusal !== null && <GatewaySentence detail={refusal} />}
        {problem}
      </div>
      <div className="flex flex-wrap items-center gap-1.5 max-sm:*:first:grow">
        <Button type="submit" tone="primary" busy={busy} aria-disabled={isEmpty || !connection}>
          {t('connections.repairKey')}
        </Button>
        {children}
      </div>
    </form>
  )
}
