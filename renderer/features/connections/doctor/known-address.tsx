import { useTranslation } from 'react-i18next'
import type { ConnectionInput } from '#contract/connections.ts'
import type { DoctorFinding, DoctorMend } from '#contract/doctor.ts'
import { isAtGateway } from '../../../lib/is-at-gateway.ts'
import { isTemplate, presetOf, PROVIDER_PRESETS, type ProviderPreset } from '../presets.ts'

/** Steps that fail when the address leads to the wrong computer. */
const ELSEWHERE: readonly DoctorFinding['step'][] = ['address', 'runtime', 'host', 'port']

/**
 * Returns the provider that a connection is named after, if its address is not the provider's and
 * nothing answers there.
 */
export function findMeant(
  { step, verdict }: DoctorFinding,
  { name, url }: Pick<ConnectionInput, 'name' | 'url'>,
): ProviderPreset | null {
  if (verdict !== 'bad' || !ELSEWHERE.includes(step)) return null
  const wanted = name.trim().toLowerCase()
  const meant = PROVIDER_PRESETS.find((each) => each.name.toLowerCase() === wanted)
  return meant && !isTemplate(meant) && presetOf(url) !== meant ? meant : null
}

/** Fix that enters the provider's own address. */
export const toMend = ({ kind, url }: ProviderPreset, current: ConnectionInput): DoctorMend =>
  kind === current.kind ? { kind: 'address', url } : { kind: 'type', type: kind, url }

/** Says where nothing answers, for a connection that is meant for a provider elsewhere. */
export function PointsHere() {
  const { t } = useTranslation()
  return <>{t(isAtGateway() ? 'doctor.pointsHere' : 'doctor.pointsAtGateway')}</>
}
