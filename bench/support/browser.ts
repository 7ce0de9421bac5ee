import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import type { BenchGateway } from './gateway.ts'

const CANDIDATES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  chromium.executablePath(),
]

/**
 * Starts the installed Chromium without its sandbox, with software rendering as on all machines
 * where these figures are taken.
 */
export function startBrowser(): Promise<Browser> {
  const executablePath = CANDIDATES.find((file) => file !== undefined && existsSync(file))
  if (!executablePath) throw new Error('No Chromium here: install one or set CHROMIUM_PATH.')
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** Opens a browser session of a signed-in user who has finished the first-run guide. */
export async function openSession(
  browser: Browser,
  gateway: BenchGateway,
): Promise<BrowserContext> {
  const url = `http://127.0.0.1:${gateway.port}`
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([
    { name: 'token', value: gateway.token, url, httpOnly: true, sameSite: 'Lax' },
  ])
  await gateway.call('POST', '/api/v1/users/user/settings/update', { ui: { welcomed: true } })
  return context
}

/** Returns the parser used by the product's markdown library, as one script for bare pages. */
export function parserScript(): string {
  const entry = createRequire(import.meta.resolve('streamdown')).resolve('marked')
  return path.join(path.dirname(entry), 'marked.umd.js')
}
