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
/** A hidden frame is not painted. */
const DRAWN_AT_LATEST = 250

const page = window.parent
const send = page.postMessage.bind(page)
const word = (document.currentScript as HTMLScriptElement).nonce
const wordOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'nonce')!
let isShown = false
let problems = 0

const say = (message: ArtifactMessage): void => send(message, '*')

function tell(kind: ArtifactProblem['kind'], text: string, line: number | null = null): void {
  problems += 1
  if (problems <= MOST_PROBLEMS) say({ type: 'problem', kind, text: text.slice(0, 2000), line })
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
    tell('error', message || toText(error), lineno || null),
  )
  window.addEventListener('unhandledrejection', ({ reason }) => tell('error', toText(reason)))
  window.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI }) => {
      // Handlers in attributes are enabled in another way.
      if (effectiveDirective !== 'script-src-attr') tell('blocked', blockedURI || 'inline')
    },
    true,
  )
  const { error } = console
  // oxlint-disable-next-line no-console -- forwards the console of the page
  console.error = (...values: unknown[]) => {
    error.apply(console, values)
    tell('console', values.map(toText).join(' '))
  }
}

/** Runs a script of the page, with the nonce that allows it. */
function runScript(text: string, type = ''): HTMLScriptElement {
  const script = document.createElement('script')
  if (type !== '') script.type = type
  wordOf.set?.call(script, word)
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
    run?.(source, (name) => tell('module', name))
  } catch (thrown) {
    reportError(thrown)
  }
}

/** Reports the height of the page whenever it changes. */
function tellHeight(): void {
  const { documentElement: root } = document
  const tell = (): void => say({ type: 'height', height: root.scrollHeight })
  new ResizeObserver(tell).observe(root)
  tell()
}

function sayShown(): void {
  if (isShown) return
  isShown = true
  say({ type: 'shown' })
}

async function show(order: ShowArtifact): Promise<void> {
  keepInside()
  // Removes all listeners.
  document.open()
  window.addEventListener('message', receive)
  if (!order.isGrowing) listenForProblems()
  document.write(preparePage(order.kind, order.source, order))
  runHandlers()
  requestAnimationFrame(() => requestAnimationFrame(sayShown))
  setTimeout(sayShown, DRAWN_AT_LATEST)
  if (order.kind === 'react') runComponent(order)
  else await runWaiting()
  document.close()
  if (order.isInline) tellHeight()
}

let isAsked = false

function receive({ source, data }: MessageEvent<ShowArtifact | PingArtifact>): void {
  if (source !== page) return
  if (data.type === 'ping') say({ type: 'alive' })
  else if (data.type === 'show' && !isAsked) {
    isAsked = true
    void show(data)
  }
}

window.addEventListener('message', receive)
say({ type: 'ready' })
