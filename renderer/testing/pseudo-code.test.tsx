// @vitest-environment jsdom
import './browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCodeSettingsStore } from '../features/code-settings/code-settings-store.ts'
import { CodeSettingsPage } from '../features/code-settings/code-settings-page.tsx'
import { cellsStore } from '../features/code/code-runtime.ts'
import { Controls, Output } from '../features/code/code-cell.tsx'
import { patchCell, toCellKey } from '../features/code/cells-store.ts'
import type { CellProgress } from '../features/code/interpreter.ts'
import { setLanguage } from '../lib/i18n.ts'
import { OutcomeView } from '../ui/code-output/outcome-view.tsx'
import { readOutcome, type ShownOutcome } from '../ui/code-output/shown-outcome.ts'
import { CodeCellsContext } from '../ui/markdown/code-cells.ts'
import { TooltipProvider } from '../ui/floating/tooltip.tsx'
import { codePackages as packages, codeState as state } from './code-samples.ts'
import { fakeGateway } from './fake-gateway.ts'
import { plainEnglish } from './plain-english.ts'

const setting = (key: string, value: unknown, type = 'string') => ({
  key,
  type,
  value,
  default: value,
  origin: 'stored',
  locked: false,
  secret: false,
  is_set: true,
  help: '8',
  group: 'code',
})
const settings = ['EXECUTION', 'INTERPRETER'].flatMap((use) => [
  setting(`ENABLE_CODE_${use}`, true, 'boolean'),
  setting(`CODE_${use}_ENGINE`, use === 'EXECUTION' ? 'pyodide' : 'jupyter'),
  setting(`CODE_${use}_JUPYTER_URL`, 'http://127.0.0.1:1'),
  setting(`CODE_${use}_JUPYTER_AUTH`, 'token'),
  { ...setting(`CODE_${use}_JUPYTER_AUTH_TOKEN`, null), secret: true },
  setting(`CODE_${use}_JUPYTER_TIMEOUT`, 60, 'integer'),
])
const show = (children: ReactNode) => render(<TooltipProvider>{children}</TooltipProvider>)

beforeEach(() => setLanguage('en-XA'))
afterEach(async () => {
  cleanup()
  await setLanguage('en')
  vi.unstubAllGlobals()
})

test('every visible string of what came of code comes from the locale files', () => {
  const outcome: ShownOutcome = {
    ...readOutcome({
      stdout: '1',
      stderr: '2',
      result: '3',
      pictures: ['data:image/png;base64,AA=='],
    }),
    error: { name: '4', message: '5', line: 1, traceback: '6' },
    files: [{ name: '7', size: 2000, id: null, bytes: new Uint8Array(1) }],
    tooLarge: ['8'],
  }
  const table = `<table>${'<tr><td>1</td></tr>'.repeat(300)}</table>`
  const outcomes = [outcome, { ...outcome, html: table }, readOutcome({})]
  const broken = (['stopped', 'timeout', 'memory', 'failed'] as const).map((status) =>
    readOutcome({ status }),
  )
  for (const each of [...outcomes, ...broken]) {
    show(<OutcomeView outcome={each} code="9" onKeep={async () => undefined} />)
    expect(plainEnglish()).toEqual([])
    cleanup()
  }
})

test('every visible string of a cell comes from the locale files', () => {
  const cells = { Controls, Output, chatId: '1', messageId: '2', listFiles: () => [] }
  const key = toCellKey('2', '3')
  const phases: CellProgress[] = [
    { phase: 'queued' },
    { phase: 'fetching', part: null },
    { phase: 'fetching', part: 0.5 },
    { phase: 'loading' },
    { phase: 'package', name: '4' },
    { phase: 'running' },
  ]
  show(
    <CodeCellsContext value={cells}>
      <Controls code="3" language="7" />
      <Output code="3" language="7" />
    </CodeCellsContext>,
  )
  fireEvent.click(screen.getAllByRole('button')[0]!)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '55' } })
  expect(plainEnglish()).toEqual([])
  for (const progress of phases) {
    patchCell(cellsStore, key, { running: { progress, pieces: [], stop: () => undefined } })
    expect(plainEnglish()).toEqual([])
  }
})

test('every visible string of the settings of code comes from the locale files', async () => {
  const gateway = fakeGateway({
    'GET /api/v1/settings/': settings,
    'GET /api/v1/settings': settings,
    'GET /api/v1/code': state,
    'GET /api/v1/code/packages': packages,
    'GET /api/v1/groups/': [],
    'GET /api/v1/users/default/permissions': { features: { code_interpreter: false } },
    'POST /api/v1/code/verify': { status: 'ok', stdout: '42', engine: 'gateway', seconds: 1 },
  })
  const store = createCodeSettingsStore()
  show(<CodeSettingsPage store={store} onChanged={() => undefined} />)
  await screen.findAllByRole('switch')
  await vi.waitFor(() =>
    expect(document.querySelector('dd')?.textContent?.length).toBeGreaterThan(20),
  )
  expect(plainEnglish()).toEqual([])
  // The second button of a form tests its engine.
  fireEvent.click(document.querySelector('form')!.querySelectorAll('button')[1]!)
  await vi.waitFor(() => expect(document.body.textContent).toContain('42'))
  expect(plainEnglish()).toEqual([])
  store.setState({
    packages: { ...packages, error: null, download: { file: '6', done: 1, total: 2, bytes: 2000 } },
  })
  await screen.findByRole('progressbar')
  expect(plainEnglish()).toEqual([])
  expect(gateway.calls.some(({ path }) => path === '/api/v1/code/verify')).toBe(true)
})
