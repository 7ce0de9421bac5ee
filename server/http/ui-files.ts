import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { stepsToRoot } from '../lib/serving/steps-to-root.ts'

/** The built UI as files. `serve` returns true if it handled the request. */
export interface UiFiles {
  serve(request: IncomingMessage, response: ServerResponse): boolean
}

interface UiFileOptions {
  /** Returns the origins that an artifact opened with a ticket may reach. */
  readonly networkOf: (ticket: string) => readonly string[]
  /** Returns the path to which a browser that opens the sign-in page is redirected, if any. */
  readonly signInOf?: (request: IncomingMessage) => string | null
}

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

const PAGE = 'index.html'
const SIGN_IN_PAGE = /^\/auth\/?$/
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g
const OWN_ADDRESS = /\b(href|src)="\.?\/(?!\/)/g

/**
 * Returns the policy of the page: scripts and styles only from the same origin, nothing inline
 * without the nonce.
 */
const pagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-src 'self'",
    "worker-src 'self'",
    'media-src blob:',
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

/**
 * Frame in which users and models run Python: its runtime is passed to it, and becomes workers and
 * modules of its own.
 */
const PYTHON_FRAME = '/frames/python.html'

/**
 * Frame for pages, drawings and components written by models, and for attachments of tools. Its
 * inline script gives each of their scripts the nonce.
 */
const ARTIFACT_FRAME = '/frames/artifact.html'

/**
 * Returns two policies that apply together: the first runs only scripts with the nonce, so nested
 * frames, which do not know it, run none; the second blocks script sources from all origins except
 * those the reader allowed, since a script with a nonce could otherwise load from any. Forms may be
 * filled in, but not submitted.
 */
const artifactPolicies = (origin: string, nonce: string, network: readonly string[]) => [
  [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'unsafe-eval'`,
    withNetwork("style-src 'unsafe-inline'", network),
    withNetwork('img-src data: blob:', network),
    withNetwork('font-src data:', network),
    withNetwork('media-src data: blob:', network),
    ...(network.length > 0 ? [withNetwork('connect-src', network.flatMap(withSocket))] : []),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origin}`,
  ].join('; '),
  withNetwork("script-src 'unsafe-inline' 'unsafe-eval'", network),
]

const withNetwork = (rule: string, network: readonly string[]): string =>
  [rule, ...network].join(' ')

/**
 * Returns an origin for calls and its counterpart for WebSockets, which policies do not treat as
 * the same.
 */
const withSocket = (origin: string): string[] => [origin, origin.replace(/^http/, 'ws')]

/**
 * Returns the origins an artifact may reach according to the ticket in its URL; never the gateway,
 * regardless of what was allowed.
 */
function readNetwork(
  { url = '', headers }: IncomingMessage,
  networkOf: UiFileOptions['networkOf'],
): readonly string[] {
  const ticket = new URLSearchParams(url.split('?', 2)[1]).get('network')
  const own = new Set(
    ['http', 'https'].map((scheme) => URL.parse(`${scheme}://${headers.host}`)?.host),
  )
  return ticket === null ? [] : networkOf(ticket).filter((each) => !own.has(new URL(each).host))
}

const scriptSources = (origin: string, name: string): string =>
  name === PYTHON_FRAME ? `${origin} blob: 'wasm-unsafe-eval'` : origin

/**
 * Returns the policy of documents under /frames: an opaque origin that may run its built-in script
 * and has no network access.
 */
const framePolicy = (origin: string, name: string) =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${scriptSources(origin, name)}`,
    ...(name === PYTHON_FRAME ? ['worker-src blob:'] : []),
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origin}`,
  ].join('; ')

/** Policy of files other than documents; a worker among them may load its own parts. */
const FILE_POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'"

const originOf = (request: IncomingMessage) =>
  `http://${request.headers.host ?? 'localhost'} https://${request.headers.host ?? 'localhost'}`

/** The service worker fetches the page and its files from the gateway only. */
const SERVICE_WORKER = '/service-worker.js'
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'"

function filePolicy(request: IncomingMessage, name: string): string {
  if (name === SERVICE_WORKER) return SERVICE_WORKER_POLICY
  const isFrame = name.startsWith('/frames/') && name.endsWith('.html')
  return isFrame ? framePolicy(originOf(request), name) : FILE_POLICY
}

function listFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const absolute = path.join(entry.parentPath, entry.name)
    files.set(`/${path.relative(folder, absolute).split(path.sep).join('/')}`, absolute)
  }
  return files
}

/**
 * Redirects a browser from the sign-in page to a provider, if one is configured for that; returns
 * true if it did. A query asks for a part of the page itself, such as its form or a message.
 */
function redirectToProvider(
  request: IncomingMessage,
  response: ServerResponse,
  signInOf: UiFileOptions['signInOf'],
): boolean {
  const address = request.url ?? ''
  const target = SIGN_IN_PAGE.test(address) ? (signInOf?.(request) ?? null) : null
  if (target === null) return false
  response
    .writeHead(302, {
      Location: `${stepsToRoot(address)}${target.slice(1)}`,
      'Cache-Control': 'no-store',
    })
    .end()
  return true
}

/**
 * Serves the files that were in `folder` at the first request, and the page for every other URL.
 * Only names found by listing the folder are ever opened, so no request can reach another file.
 */
export function createUiFiles(folder: string, { networkOf, signInOf }: UiFileOptions): UiFiles {
  let files: Map<string, string> | undefined
  let page: string | undefined

  function servePage(response: ServerResponse, address: string): void {
    page ??= readFileSync(path.join(folder, PAGE), 'utf8')
    const nonce = randomBytes(16).toString('base64')
    response.writeHead(200, {
      'Content-Type': CONTENT_TYPES['.html'],
      'Content-Security-Policy': pagePolicy(nonce),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      // Gives frames without an origin a separate process, so that an endless loop in one does not
      // block the page.
      'Origin-Agent-Cluster': '?1',
      'X-Frame-Options': 'DENY',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self)',
    })
    response.end(
      page.replace(NONCE_PLACEHOLDER, nonce).replace(OWN_ADDRESS, `$1="${stepsToRoot(address)}`),
    )
  }

  function serveArtifactFrame(
    request: IncomingMessage,
    response: ServerResponse,
    file: string,
  ): void {
    const nonce = randomBytes(16).toString('base64')
    response.writeHead(200, {
      'Content-Type': CONTENT_TYPES['.html'],
      'Content-Security-Policy': artifactPolicies(
        originOf(request),
        nonce,
        readNetwork(request, networkOf),
      ),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    response.end(readFileSync(file, 'utf8').replace(NONCE_PLACEHOLDER, nonce))
  }

  function serveFile(
    request: IncomingMessage,
    response: ServerResponse,
    found: { name: string; file: string },
  ): void {
    if (found.name === ARTIFACT_FRAME) return serveArtifactFrame(request, response, found.file)
    response.writeHead(200, {
      'Content-Type': CONTENT_TYPES[path.extname(found.name)] ?? 'application/octet-stream',
      'Content-Length': statSync(found.file).size,
      'Cache-Control': found.name.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
      'Content-Security-Policy': filePolicy(request, found.name),
      // Frame documents have an opaque origin, so the browser treats their own script as a
      // cross-origin load.
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    if (request.method === 'HEAD') response.end()
    else
      createReadStream(found.file)
        .once('error', () => response.destroy())
        .pipe(response)
  }

  return {
    serve(request, response) {
      if (!existsSync(path.join(folder, PAGE))) return false
      if (redirectToProvider(request, response, signInOf)) return true
      files ??= listFiles(folder)
      const name = (request.url ?? '/').split('?', 1)[0]!
      const file = name === `/${PAGE}` ? undefined : files.get(name)
      if (file) serveFile(request, response, { name, file })
      else if (/\.[a-z0-9]{1,12}$/i.test(name) && !name.endsWith('.html')) return false
      else servePage(response, name)
      return true
    },
  }
}
