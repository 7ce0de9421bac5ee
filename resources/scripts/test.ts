// npm test: runs types, lint, format, borders, unused code, unit and API tests, browser tests and
// desktop tests, with a summary at the end.
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { obtainElectron } from './electron.ts'
import { ensureBuilt } from './ensure-built.ts'
import {
  prepareChromium,
  prepareDisplay,
  prepareKeyring,
  prepareJupyter,
  prepareObjectStore,
  preparePostgres,
  preparePluginHostPython,
  preparePython,
} from './prepare.ts'
import { capture, root, run, toolEnvironment } from './run-step.ts'
import {
  counted,
  playwrightCounts,
  REPORTS,
  reports,
  SECOND_TRY,
  vitestCounts,
  withUnhandledErrors,
  type Counts,
} from './test-counts.ts'
import { UNHANDLED_ERRORS_FILE } from './unhandled-errors.ts'

/** Runs all tests of a step, or those that the arguments select. */
type RunTests = (selection: readonly string[]) => Promise<Counts>

interface Outcome extends Counts {
  name: string
  seconds: number
}

/** Keeps Node's compile cache for the threads that unit tests start by the hundred. */
const NODE_COMPILE_CACHE = path.join(root, 'out/compile-cache')
/**
 * The compiler and the linter are written in Go; garbage collection takes two fifths of their time
 * if it starts at twice the memory in use.
 */
const RARELY_COLLECTING = { GOGC: '400' }
const outcomes: Outcome[] = []
/** Steps with failed tests, which run once more when nothing else does. */
const unsettled: { outcome: Outcome; runTests: RunTests }[] = []
/** More failures than this are no matter of a busy machine. */
const MOST_RUN_ALONE = 25
/**
 * Messages about parts that could not be run here; in CI, a part is excused only if its runtime is
 * not available anywhere.
 */
const notRun: { text: string; isExcused: boolean }[] = []

function clearReports(): void {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
}

async function step(name: string, work: () => Promise<Counts>): Promise<Outcome> {
  console.log(`\n── ${name}`)
  const started = performance.now()
  const counts = await work()
  const seconds = Math.round((performance.now() - started) / 1000)
  const outcome = { name, ...counts, seconds }
  outcomes.push(outcome)
  return outcome
}

async function testStep(name: string, runTests: RunTests): Promise<void> {
  const outcome = await step(name, () => runTests([]))
  // Without a failed test, a bad end of the command selects nothing, and all tests run again.
  const isSelectable = outcome.failed > 0 && outcome.failedAt !== undefined
  if (isSelectable && outcome.failed <= MOST_RUN_ALONE) unsettled.push({ outcome, runTests })
}

/**
 * Runs failed tests once more when nothing else runs. A test that fails only on a busy machine
 * passes here, and the summary names it; a fault of the product fails again.
 */
async function runFailedTestsAlone(): Promise<void> {
  for (const { outcome, runTests } of unsettled) {
    clearReports()
    console.log(`\n── failed tests of ${outcome.name}, alone`)
    const alone = await runTests(outcome.failedAt ?? [])
    outcome.passed += outcome.failed - alone.failed
    outcome.failed = alone.failed
    outcome.names = [
      ...(outcome.names ?? []).map((name) => (name.startsWith(SECOND_TRY) ? name : BUSY + name)),
      ...(alone.names ?? []).map((name) => `alone: ${name}`),
    ]
  }
}

const command =
  (program: string, ...args: string[]) =>
  async () => {
    const code = await run(program, args, { env: toolEnvironment(RARELY_COLLECTING) })
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
  }

const BUSY = 'failed while other tests ran: '

/** Runs vitest, or a script that does, and counts what its reports contain. */
async function runVitest(
  command: readonly string[],
  report: string,
  env: NodeJS.ProcessEnv,
): Promise<Counts> {
  const options = [
    '--reporter=default',
    '--reporter=json',
    '--reporter=./resources/scripts/unhandled-errors.ts',
    // For a busy machine; the summary names every test that needed it.
    '--retry=1',
    `--outputFile=${path.join(reports, report)}`,
  ]
  const errors = path.join(reports, `unhandled-${report}`)
  const code = await run(command[0]!, [...command.slice(1), ...options], {
    env: { ...env, [UNHANDLED_ERRORS_FILE]: errors },
  })
  return counted(code, report, (read) => withUnhandledErrors(vitestCounts(read), errors))
}

/** Runs the unit tests of some projects of `vitest.config.ts`. */
const vitest = (
  report: string,
  projects: readonly string[],
  selection: readonly string[],
  env: NodeJS.ProcessEnv = toolEnvironment(),
): Promise<Counts> =>
  runVitest(
    ['vitest', 'run', ...selection, ...projects.map((name) => `--project=${name}`)],
    report,
    env,
  )

const unitTests: RunTests = async (selection) => {
  const keyring = await prepareKeyring()
  if (!keyring) {
    const text =
      'the keychain tests against a real Secret Service: gnome-keyring and a D-Bus session are not on this machine'
    notRun.push({ text, isExcused: false })
  }
  const python = await preparePython()
  if (!python) {
    const text =
      'the tests with the official Python packages: no Python 3 with venv, or the package index cannot be reached'
    notRun.push({ text, isExcused: false })
  }
  if (!(await prepareObjectStore())) {
    const text =
      'the tests of uploads in a bucket: no Python 3 with venv, or the package index cannot be reached'
    notRun.push({ text, isExcused: false })
  }
  const GATEWAY_ENTRY = path.join(root, 'out/server/index.js')
  const env = toolEnvironment({
    GATEWAY_ENTRY,
    NODE_COMPILE_CACHE,
    ...(keyring && { HAVE_KEYRING: '1' }),
    ...(python && { SDK_PYTHON: python }),
  })
  return vitest('unit.json', ['gateway', 'node'], selection, env)
}

const hasPostgres = async (): Promise<boolean> =>
  (await preparePostgres()) !== null || Boolean(process.env['POSTGRES_PROGRAMS'])

async function pluginHostTests(): Promise<void> {
  const python = await preparePluginHostPython()
  if (!python) {
    const text =
      'the tests of the plugin host: no Python 3 with venv, or the package index cannot be reached'
    notRun.push({ text, isExcused: false })
    return
  }
  await step('plugin host', async () => {
    const report = path.join(reports, 'plugin-host.json')
    const { code, output } = await capture(python, ['-B', '-m', 'tests', report], {
      cwd: path.join(root, 'resources/plugin-host'),
    })
    console.log(`\n── output of the plugin host's tests\n${output}`)
    return counted(code, 'plugin-host.json', (counts) => counts as Counts)
  })
}

async function playwright(
  config: string,
  report: string,
  selection: readonly string[],
  options: { env: NodeJS.ProcessEnv; wrapper?: string[] },
): Promise<Counts> {
  const line = [
    ...(options.wrapper ?? []),
    'playwright',
    'test',
    '--config',
    config,
    '--reporter=line,json',
    ...(selection.length > 0 ? ['--workers=1', ...selection] : []),
  ]
  const env = toolEnvironment({
    ...options.env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: path.posix.join(REPORTS, report),
  })
  return counted(await run(line[0]!, line.slice(1), { env }), report, playwrightCounts)
}

async function browserTests(): Promise<void> {
  const chromium = await prepareChromium()
  if (!chromium)
    notRun.push({
      text: 'the browser tests: no Chromium is on this machine and none could be downloaded or installed',
      isExcused: false,
    })
  else
    await testStep('browser', (selection) =>
      playwright('e2e/playwright.config.ts', 'browser.json', selection, {
        env: { CHROMIUM_PATH: chromium },
      }),
    )
}

/**
 * Runs the desktop tests. `DESKTOP_TEST_WRAPPER` names a program that gives them a separate display
 * and user.
 */
async function desktopTests(): Promise<void> {
  const electron = await obtainElectron()
  const wrapper = process.env['DESKTOP_TEST_WRAPPER']
  const display = await prepareDisplay()
  const reason = !electron
    ? 'the Electron runtime is not on this machine and could not be downloaded'
    : !display
      ? 'there is no display and no Xvfb'
      : !wrapper && process.getuid?.() === 0
        ? 'Electron does not run as root; start the tests as an ordinary user'
        : null
  if (reason) {
    notRun.push({ text: `the desktop tests: ${reason}`, isExcused: electron === null })
    return
  }
  const ownDisplay =
    process.platform === 'linux' && !wrapper
      ? ['dbus-run-session', '--', 'xvfb-run', '-a', '-s', '-screen 0 1280x800x24 -nolisten tcp']
      : []
  const pass = 'ELECTRON_BINARY PLAYWRIGHT_JSON_OUTPUT_FILE SCREENSHOTS'
  await testStep('desktop', (selection) =>
    playwright('e2e/desktop.config.ts', 'desktop.json', selection, {
      env: { ELECTRON_BINARY: electron!, PASS: pass },
      wrapper: wrapper ? [wrapper] : ownDisplay,
    }),
  )
}

/**
 * Records what leaves a network namespace while the gateway is sealed, and compares what leaves an
 * open one with its list. Only root of Linux may create namespaces, and not in every container.
 */
async function sealedProof(): Promise<void> {
  const chromium = await prepareChromium()
  const electron = await obtainElectron()
  const name = `tests-${process.pid}`
  const canCreate =
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    (await capture('ip', ['netns', 'add', name]).catch(() => null))?.code === 0
  if (!canCreate || !chromium) {
    const text = 'the proof of sealed mode: it needs root of Linux, namespaces and Chromium'
    notRun.push({ text, isExcused: true })
    return
  }
  await capture('ip', ['netns', 'delete', name])
  const env = toolEnvironment({
    CHROMIUM_PATH: chromium,
    ...(electron !== null && { ELECTRON_BINARY: electron }),
  })
  await step('sealed', async () => {
    const code = await run('.ci/prove-sealed', ['--quick'], { env })
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
  })
}

/**
 * Runs the tests of the modules whose statements differ most between the databases, which the
 * script selects.
 */
async function postgresTests(): Promise<void> {
  if (!(await hasPostgres())) return
  await testStep('PostgreSQL', (selection) =>
    runVitest(
      [
        'node',
        'resources/scripts/test-postgres.ts',
        ...(selection.length > 0 ? selection : ['--chosen']),
        '--maxWorkers=1',
      ],
      'postgres.json',
      toolEnvironment({ NODE_COMPILE_CACHE }),
    ),
  )
}

/**
 * Runs the tests that share nothing with the browser tests: the desktop tests have a separate
 * display, and a profile each.
 */
async function testsBesideBrowser(): Promise<void> {
  await postgresTests()
  await desktopTests()
  await pluginHostTests()
  await testStep('interface', (selection) => vitest('interface.json', ['renderer'], selection))
  await sealedProof()
}

/**
 * With `PACK=true`, also checks the package: built, its fuses read back, its gateway started from
 * nothing but its own files.
 */
async function pack(): Promise<void> {
  if (process.env['PACK'] === 'true')
    await step('package', command('node', 'resources/scripts/pack.ts'))
}

/** Runs the quick checks one after the other, in parallel with the longer ones. */
async function quickChecks(): Promise<void> {
  await step('format', command('oxfmt', '--check', '.'))
  await step('borders', command('node', 'resources/scripts/check-architecture.ts'))
  await step('generated files', command('node', 'resources/scripts/write-generated.ts', '--check'))
  await step('unused code', command('knip', '--no-progress'))
}

function summarise(): number {
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0)
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
  console.log('\n── summary')
  for (const outcome of outcomes) {
    console.log(
      `${outcome.failed === 0 ? 'ok  ' : 'FAIL'} ${outcome.name.padEnd(14)} ${String(outcome.passed).padStart(5)} passed ${String(outcome.failed).padStart(4)} failed  ${outcome.seconds} s`,
    )
    for (const name of outcome.names ?? []) console.log(`     ${name}`)
  }
  for (const { text } of notRun) console.log(`not run: ${text}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 || (process.env['CI'] === 'true' && notRun.some(({ isExcused }) => !isExcused))
    ? 1
    : 0
}

clearReports()
// Much of this waits for the disk or the network. The unit tests need the Python environments.
const pythons = Promise.all([
  preparePluginHostPython(),
  preparePython(),
  prepareJupyter(),
  prepareObjectStore(),
  preparePostgres(),
])
await Promise.all([
  // Several checkers would compute the same types again, which pays off only if cores are idle.
  step('types', command('tsc', '-b', '--singleThreaded')),
  step('lint', command('oxlint', '--type-aware')),
  quickChecks(),
  pack(),
])
await step('build', async () => {
  await ensureBuilt()
  return { passed: 1, failed: 0 }
})
await pythons
if (!(await hasPostgres())) {
  const text =
    'the tests on PostgreSQL: no Python 3 with venv, or the package index cannot be reached'
  notRun.push({ text, isExcused: false })
}
await testStep('unit and API', unitTests)
// One test at a time beside the two browser tests keeps every core busy while one of them waits.
await Promise.all([browserTests(), testsBesideBrowser()])
await runFailedTestsAlone()
process.exit(summarise())
