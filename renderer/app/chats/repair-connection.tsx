import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { RepairKey } from '../../features/chat/chat-context.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const AccountLink = lazyPart(
  () => import('../../features/connections/account-link.tsx'),
  'AccountLink',
)

/** Shows the link to the billing page of a connection's account. */
export const showPayment = (connection: string) => (
  <Suspense>
    <AccountLink connection={connection} />
  </Suspense>
)

const KeyRepair = lazyPart(() => import('../../features/connections/key-repair.tsx'), 'KeyRepair')

/** Placeholder in the shape of the form, so that nothing moves once it is loaded. */
function RepairShape({ connection: name, children }: { connection: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className="mt-2 flex max-w-md flex-col gap-2">
      <span aria-hidden="true" className="mt-0.5 h-4 w-16 rounded-small bg-pressed" />
      <span
        aria-hidden="true"
        className="h-primary rounded-medium border border-edge bg-raised pointer-coarse:h-11"
      />
      <p className="-mt-0.5 text-small text-muted">{t('failures.replacesKey', { name })}</p>
      <div className="flex flex-wrap items-center gap-1.5 max-sm:*:first:grow">
        <span
          aria-hidden="true"
          className="h-control w-32 rounded-medium bg-pressed pointer-coarse:h-11"
        />
        {children}
      </div>
    </div>
  )
}

/** Shows the form that replaces the rejected key of a connection. */
export const showRepair: RepairKey = (connection, onRepaired, buttons) => (
  <Suspense fallback={<RepairShape connection={connection}>{buttons}</RepairShape>}>
    <KeyRepair connection={connection} onRepaired={onRepaired}>
      {buttons}
    </KeyRepair>
  </Suspense>
)
