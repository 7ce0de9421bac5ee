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
async function show(failing: DoctorStep, part: Partial<Connection> = {}, code = 'x') {
  const gateway = fakeGateway({
    'GET /api/v1/connections': [
      sampleConnection({ id: 'c1', ...part }),
      sampleConnection({ id: 'c2', name: 'South' }),
    ],
    'POST /api/v1/connections/examine': ({ body }: SeenCall): DoctorFinding => {
      const { step } = body as { step: DoctorStep }
      const verdict = step === failing ? 'bad' : 'good'
      return { step, verdict, code, text: 'Said.', advice: 'Start it.', mends: [] }
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
  return gateway
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

test('the fault is the headline of the result, before the number of checks', async () => {
  await show('answer')
  const result = screen.getByRole('region', { name: 'Result of the check' })
  expect(result.textContent).toMatch(
    /^Said\.Start it\.Edit connectionStep: Answer\. 1 of 10 checks failed\. Checked today, .*Check again$/,
  )
})

test('a fault has one main button, and the check is repeated from the end of the same column', async () => {
  await show('port', { name: 'OpenAI', url: 'http://127.0.0.1:9/v1' }, 'nothing_listens')
  const edit = screen.getByRole('button', { name: 'Edit connection' })
  const again = screen.getByRole('button', { name: 'Check again' })
  const column = edit.parentElement!.parentElement!
  expect(column.contains(again)).toBe(true)
  expect(column.lastElementChild!.contains(again)).toBe(true)
  expect(edit.className).not.toMatch(/\bbg-accent\b/)
  expect(screen.getByRole('button', { name: /^Use / }).className).toMatch(/\bbg-accent\b/)
  cleanup()
  await show('port', { name: 'North', url: 'http://10.0.0.7:9/v1' })
  expect(screen.getByRole('button', { name: 'Edit connection' }).className).toMatch(/\bbg-accent\b/)
})

test('an address of this computer under the name of a provider is said in words, with the right one', async () => {
  const part = { name: 'OpenAI', url: 'http://127.0.0.1:9/v1' }
  const gateway = await show('runtime', part, 'nothing_listens')
  screen.getByText('The address points to this computer, where nothing answers.')
  screen.getByText('OpenAI’s address is https://api.openai.com/v1.')
  expect(screen.queryByText('Start it.')).toBeNull()
  gateway.answers['POST /api/v1/connections/c1'] = sampleConnection({ id: 'c1', ...part })
  fireEvent.click(screen.getByRole('button', { name: 'Use https://api.openai.com/v1' }))
  await vi.waitFor(() =>
    expect(gateway.calls.find(({ path }) => path.endsWith('/c1'))?.body).toMatchObject({
      url: 'https://api.openai.com/v1',
    }),
  )
})

test('a provider with its own address gets the usual advice', async () => {
  await show('port', { name: 'OpenAI', url: 'https://api.openai.com/v1' })
  screen.getByText('Start it.')
  expect(screen.queryByRole('button', { name: /^Use / })).toBeNull()
})

test('the other connections stand below with their last result, each a link to its check', async () => {
  await show('port')
  const others = screen.getByRole('list', { name: 'Other connections' })
  expect(others.textContent).toMatch(/South2 modelsChecked .*1970/)
  expect(screen.getByRole('link', { name: 'South' }).getAttribute('href')).toBe(
    '/settings/doctor?connection=c2',
  )
})
