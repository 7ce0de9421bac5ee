import type { DoctorFinding, DoctorMend, DoctorStep } from '#contract/doctor.ts'

export interface Found {
  readonly code: string
  readonly text: string
  readonly advice?: string
  readonly mends?: readonly DoctorMend[]
}

type Verdict = DoctorFinding['verdict']

const toFinding = (
  step: DoctorStep,
  verdict: Verdict,
  { code, text, advice = '', mends = [] }: Found,
): DoctorFinding => ({
  step,
  verdict,
  code,
  text,
  advice: advice === '' ? null : advice,
  mends: [...mends],
})

export const good = (step: DoctorStep, code: string, text: string): DoctorFinding =>
  toFinding(step, 'good', { code, text })
export const look = (step: DoctorStep, found: Found): DoctorFinding =>
  toFinding(step, 'look', found)
export const bad = (step: DoctorStep, found: Found): DoctorFinding => toFinding(step, 'bad', found)
export const skipped = (step: DoctorStep, code: string, text: string): DoctorFinding =>
  toFinding(step, 'skipped', { code, text })
