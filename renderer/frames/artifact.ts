import type {
  ArtifactMessage,
  ArtifactProblem,
  PingArtifact,
  ShowArtifact,
} from '../ui/artifacts/artifact-protocol.ts'
import { keepInside } from './artifact/keep-inside.ts'
import { preparePage, WAITING } from './artifact/prepare-page.ts'
import { runHandlers } from './artifact/run-handlers.ts'

// This document has no origin of its own (sandbox) and no network beyond its policy. The content
// written into it is a model's code: its scripts run only because this script gives them the nonce
// that the policy requires. Nested frames never receive the nonce, so they run nothing.

declare global {
  interface Window {
    /** Defined by the runtime of components. */
    runComponent?: (source: string, tellModule: (name: string) => void) => void
  }
}

const MOST_PROBLEMS = 50
/** Time in ms after which the page counts as shown; a hidden frame is never painted. */
const SHOWN_AFTER = 250

const page = window.parent
const send = page.postMessage.bind(page)
const nonce = (document.currentScript as HTMLScriptElement).nonce
const nonceProperty = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'nonce')!
let isShown = false
let problems = 0

const post = (message: ArtifactMessage): void => send(message, '*')

function reportProblem(
  kind: ArtifactProblem['kind'],
  text: string,
  line: number | null = null,
): void {
  problems += 1
  if (problems <= MOST_PROBLEMS) post({ type: 'problem', kind, text: text.slice(0, 2000), line })
}

/** Formats any value on one line, like a console. */
function toText(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return typeof value
  }
}

function listenForProblems(): void {
  window.addEventListener('error', ({ message, error, lineno }) =>
    reportProblem('error', message || toText(error), lineno || null),
  )
  window.addEventListener('unhandledrejection', ({ reason }) =>
    reportProblem('error', toText(reason)),
  )
  window.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI }) => {
      // Handlers in attributes are enabled in another way.
      if (effectiveDirective !== 'script-src-attr') reportProblem('blocked', blockedURI || 'inline')
    },
    true,
  )
  const { error } = console
  // oxlint-disable-next-line no-console -- forwards the console of the page
  console.error = (...values: unknown[]) => {
    error.apply(console, values)
    reportProblem('console', values.map(toText).join(' '))
  }
}

/** Runs a script of the page, with the nonce that allows it. */
function runScript(text: string, type = ''): HTMLScriptElement {
  const script = document.createElement('script')
  if (type !== '') script.type = type
  nonceProperty.set?.call(script, nonce)
  script.textContent = text
  return script
}

/** Resolves when an external script has run or failed to load. */
const whenLoaded = (script: HTMLScriptElement): Promise<void> =>
  new Promise((resolve) => {
    for (const name of ['load', 'error']) script.addEventListener(name, () => resolve())
  })

const KEPT = ['src', 'crossorigin', 'integrity']

/** Runs the scripts of the page in order and waits for external ones. */
async function runWaiting(): Promise<void> {
  for (const waiting of document.querySelectorAll(`script[type="${WAITING}"]`)) {
    const script = runScript(
      waiting.textContent ?? '',
      waiting.getAttribute('data-artifact-type') ?? '',
    )
    if (waiting.id !== '') script.id = waiting.id
    for (const name of KEPT) {
      const value = waiting.getAttribute(name)
      if (value !== null) script.setAttribute(name, value)
    }
    const loaded = waiting.hasAttribute('src') ? whenLoaded(script) : null
    waiting.replaceWith(script)
    if (loaded) await loaded
  }
}

function runComponent({ source, runtime }: ShowArtifact): void {
  document.body.append(runScript(runtime))
  const run = window.runComponent
  Reflect.deleteProperty(window, 'runComponent')
  try {
    run?.(source, (name) => reportProblem('module', name))
  } catch (thrown) {
    reportError(thrown)
  }
}

/** Reports the height of the page whenever it changes. */
function followHeight(): void {
  const { documentElement: root } = document
  const sendHeight = (): void => post({ type: 'height', height: root.scrollHeight })
  new ResizeObserver(sendHeight).observe(root)
  sendHeight()
}

function postShown(): void {
  if (isShown) return
  isShown = true
  post({ type: 'shown' })
}

async function show(request: ShowArtifact): Promise<void> {
  keepInside()
  // Removes all listeners.
  document.open()
  window.addEventListener('message', receive)
  if (!request.isGrowing) listenForProblems()
  document.write(preparePage(request.kind, request.source, request))
  runHandlers()
  requestAnimationFrame(() => requestAnimationFrame(postShown))
  setTimeout(postShown, SHOWN_AFTER)
  if (request.kind === 'react') runComponent(request)
  else await runWaiting()
  document.close()
  if (request.isInline) followHeight()
}

let isAsked = false

function receive({ source, data }: MessageEvent<ShowArtifact | PingArtifact>): void {
  if (source !== page) return
  if (data.type === 'ping') post({ type: 'alive' })
  else if (data.type === 'show' && !isAsked) {
    isAsked = true
    void show(data)
  }
}

window.addEventListener('message', receive)
post({ type: 'ready' })
