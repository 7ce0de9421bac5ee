import type { BrowserContext, Page } from '@playwright/test'

/** Problems that no page of the product may ever cause. */
export interface Troubles {
  /** Requests and sockets that left this machine. */
  readonly foreignRequests: readonly string[]
  /** Violations of the content security policy. */
  readonly policyViolations: string[]
  /** Uncaught exceptions. */
  readonly pageErrors: string[]
}

const NETWORK = new Set(['http:', 'https:', 'ws:', 'wss:'])

const isForeign = (address: string): boolean => {
  const url = new URL(address)
  return NETWORK.has(url.protocol) && url.hostname !== '127.0.0.1'
}

/** Watches every page and frame of a browser context from now on. */
export async function watchPages(context: BrowserContext): Promise<Troubles> {
  const foreignRequests: string[] = []
  const policyViolations: string[] = []
  const pageErrors: string[] = []
  const note = (address: string): void => {
    if (isForeign(address)) foreignRequests.push(address)
  }
  context.on('request', (request) => note(request.url()))
  context.on('page', (page: Page) => page.on('websocket', (socket) => note(socket.url())))
  context.on('weberror', (thrown) => {
    const { name, message, stack } = thrown.error()
    // A thrown value that is no error has neither a message nor a stack.
    pageErrors.push(stack || `${name}: ${message} on ${thrown.page()?.url()}`)
  })
  await context.exposeBinding('reportPolicyViolation', (_, text: string) =>
    policyViolations.push(text),
  )
  await context.addInitScript(() => {
    document.addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
        const report = (globalThis as unknown as { reportPolicyViolation: (text: string) => void })
          .reportPolicyViolation
        report(
          `${effectiveDirective} stopped ${blockedURI} (${sourceFile}:${lineNumber}) in ${location.href}`,
        )
      },
    )
  })
  return { foreignRequests, policyViolations, pageErrors }
}
