// Counts of passed and failed tests, read from the reports of vitest and Playwright.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './run-step.ts'
import type { UnhandledError } from './unhandled-errors.ts'

export interface Counts {
  passed: number
  failed: number
  /** Names of the tests that failed, or failed at the first attempt. */
  names?: string[]
  /** Arguments that select the failed tests: files, or files with lines. */
  failedAt?: string[]
}

/** Relative, because the desktop tests may run from a copy of the tree. */
export const REPORTS = 'out/test-reports'
export const reports = path.join(root, REPORTS)

export const SECOND_TRY = 'passed at the second try: '

/**
 * Reads the counts of a JSON report; a run without a report, or with a bad exit code and no failure
 * in it, counts as one failure.
 */
export function counted(code: number, file: string, read: (report: unknown) => Counts): Counts {
  try {
    const counts = read(JSON.parse(readFileSync(path.join(reports, file), 'utf8')))
    return code !== 0 && counts.failed === 0
      ? { ...counts, failed: 1, names: [`the command ended with code ${code}`] }
      : counts
  } catch {
    return { passed: 0, failed: 1, names: ['there is no report'] }
  }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const firstLines = (text = '') => text.split('\n').slice(0, 12).join('\n      ')

export const vitestCounts = (report: unknown): Counts => {
  const { numPassedTests, numFailedTests, testResults } = report as VitestReport
  const names = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const file = path.relative(root, name)
    if (status === 'failed' && failed.length === 0) return [`${file}: ${firstLines(message)}`]
    return assertionResults
      .filter(({ failureMessages }) => failureMessages.length > 0)
      .map(
        (test) =>
          `${test.status === 'passed' ? SECOND_TRY : ''}${file} › ${test.fullName}\n      ${firstLines(test.failureMessages[0])}`,
      )
  })
  const failedAt = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => path.relative(root, name))
  // A file that does not load has no test that could count.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return { passed: numPassedTests, failed: numFailedTests + broken.length, names, failedAt }
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: {
    title: string
    file: string
    line: number
    ok: boolean
    tests: { status: string; results: { error?: { message?: string } }[] }[]
  }[]
}

const failedSpecs = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok, tests }) => !ok || tests[0]?.status === 'flaky')
    .map(
      ({ title, file, line, ok, tests }) =>
        `${ok ? SECOND_TRY : ''}${file}:${line} › ${title}\n      ${firstLines(tests[0]?.results[0]?.error?.message)}`,
    ),
  ...suites.flatMap(failedSpecs),
]

const failedPlaces = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, line }) => `${file}:${line}`),
  ...suites.flatMap(failedPlaces),
]

export const playwrightCounts = (report: unknown): Counts => {
  const { stats, suites } = report as {
    stats: { expected: number; unexpected: number; flaky: number }
    suites: PlaywrightSuite[]
  }
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    names: failedSpecs({ suites }),
    failedAt: failedPlaces({ suites }),
  }
}

/** Adds the errors outside tests to the counts of a run; each counts as one failure. */
export function withUnhandledErrors(counts: Counts, file: string): Counts {
  let errors: UnhandledError[]
  try {
    errors = JSON.parse(readFileSync(file, 'utf8')) as UnhandledError[]
  } catch {
    return counts
  }
  const names = errors.map(
    ({ text, file: at }) =>
      `outside tests${at === null ? '' : `, in ${path.relative(root, at)}`}: ${firstLines(text)}`,
  )
  const failedAt = errors.flatMap(({ file: at }) => (at === null ? [] : [path.relative(root, at)]))
  return {
    passed: counts.passed,
    failed: counts.failed + errors.length,
    names: [...(counts.names ?? []), ...names],
    failedAt: [...new Set([...(counts.failedAt ?? []), ...failedAt])],
  }
}
