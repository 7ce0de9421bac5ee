// @vitest-environment jsdom
import '../../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Connection } from '#contract/connections.ts'
import type { DoctorFinding, DoctorStep } from '#contract/doctor.ts'
import { currentPath } from '../../../lib/router.ts'
import { fakeGateway, type SeenCall } from '../../../testing/fake-gateway.ts'
import { sampleConnection } from '../../../testing/samples.ts'
import { createConnectionsStore } from '../connections-store.ts'
import { DoctorPage } from './doctor-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Shows the check of a connection that fails at a step. */
async function show(failing: DoctorStep, part: Partial<Connection> = {}): Promise<void> {
  fakeGateway({
    'GET /api/v1/connections': [sampleConnection({ id: 'c1', ...part })],
    'POST /api/v1/connections/examine': ({ body }: SeenCall): DoctorFinding => {
      const { step } = body as { step: DoctorStep }
      const verdict = step === failing ? 'bad' : 'good'
      return { step, verdict, code: 'x', text: 'Said.', advice: null, mends: [] }
    },
  })
  render(
    <DoctorPage
      store={createConnectionsStore()}
      about="c1"
      step={null}
      onChanged={() => undefined}
    />,
  )
  await screen.findByText(/checks failed/)
}

test.each(['port', 'key'] as const)('a finding on the %s leads to the form', async (step) => {
  await show(step)
  fireEvent.click(screen.getByRole('button', { name: 'Edit connection' }))
  expect(currentPath()).toBe('/settings/connections?connection=c1')
})

test('a finding on the models does not', async () => {
  await show('models')
  expect(screen.queryByRole('button', { name: 'Edit connection' })).toBeNull()
})

test('an address of the environment is changed there, its key in the form', async () => {
  await show('port', { origin: 'environment' })
  screen.getByText('OPENAI_API_BASE_URLS')
  expect(screen.queryByRole('button', { name: 'Edit connection' })).toBeNull()
  cleanup()
  await show('key', { origin: 'environment' })
  screen.getByRole('button', { name: 'Edit connection' })
})
