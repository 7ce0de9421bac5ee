import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { Model } from '#contract/models.ts'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { DevicesSection } from './devices-section.tsx'
import { HelpSection } from './help-section.tsx'
import { OwnCertificate } from './own-certificate.tsx'
import { PassesSection } from './passes-section.tsx'
import { followSharing, type SharingStore } from './sharing-store.ts'
import { SwitchSection } from './switch-section.tsx'
import './strings.ts'

/** Sharing with phones and other devices: the switch, devices, guests, and help with certificate warnings. */
export function SharingPage({ store, models }: { store: SharingStore; models: readonly Model[] }) {
  const status = useStore(store, (state) => state.status)
  const problem = useStore(store, (state) => state.problem)
  useEffect(() => followSharing(store), [store])
  if (!status) return problem ? <FormProblem text={problem} /> : <PageWait />
  return (
    <>
      <FormProblem text={problem} />
      <SwitchSection store={store} status={status} />
      <PassesSection store={store} models={models} />
      <DevicesSection store={store} />
      {status.on && <HelpSection status={status} />}
      <OwnCertificate store={store} status={status} />
    </>
  )
}
