import type { OnBeforeRequestListenerDetails, Session, WebContents } from 'electron'
import type { LeavePurpose } from '../gateway/gateway-messages.ts'
import { toPlace, type WindowTraffic } from './window-traffic.ts'

/** Web preferences of every page in any window: sandboxed, without Node. */
export const FENCED_PAGE = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  navigateOnDragDrop: false,
} as const

/** All other permissions are denied; the page may also use the microphone, but never the camera. */
const ALLOWED_PERMISSIONS = new Set(['clipboard-sanitized-write', 'notifications'])

/** Returns the origin of a URL, or null if it has none (`about:`, `data:`, invalid). */
function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, origin, username, password } = new URL(url)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
    ? origin
    : null
}

/** Returns true if a URL belongs to the gateway this app started; false while it is not running. */
export const isOwnAddress = (url: string, gatewayOrigin: string | null): boolean =>
  gatewayOrigin !== null && originOf(url) === gatewayOrigin

/** Requested media devices: the types, or the one that is being checked. */
interface MediaDetails {
  readonly mediaTypes?: readonly string[]
  readonly mediaType?: string
}

const toMedia = (details: object): MediaDetails =>
  'mediaTypes' in details ? { mediaTypes: details.mediaTypes as readonly string[] } : {}

const isSoundAlone = ({ mediaTypes, mediaType }: MediaDetails): boolean =>
  mediaTypes === undefined
    ? mediaType === 'audio'
    : mediaTypes.length > 0 && mediaTypes.every((each) => each === 'audio')

export const isPermissionAllowed = (
  permission: string,
  requestingUrl: string,
  pageOrigin: string | null,
  details: MediaDetails = {},
): boolean =>
  isOwnAddress(requestingUrl, pageOrigin) &&
  (ALLOWED_PERMISSIONS.has(permission) || (permission === 'media' && isSoundAlone(details)))

/**
 * Returns true for requests the window may make: to the running gateway over HTTP and WebSocket,
 * and those that never leave the page.
 */
export function isRequestAllowed(url: string, gatewayOrigin: string | null): boolean {
  if (/^(blob|data):/i.test(url)) return true
  return isOwnAddress(url.replace(/^ws(s?):/i, 'http$1:'), gatewayOrigin)
}

/** Path of the gateway's document that may reach the user's tool servers; its policy lists them. */
const TOOL_FRAME = '/api/v1/tool_servers/frame'

interface RequestDetails {
  readonly url: string
  readonly resourceType?: string
  readonly frame?: { readonly url: string } | null
}

/**
 * Path of the gateway's document that artifacts run in, and the query parameter its URL has if they
 * may reach other hosts.
 */
const ARTIFACT_FRAME = '/frames/artifact.html'
const NETWORK = 'network'

/**
 * Returns true if the request comes from an artifact with network access. Its policy was applied
 * before.
 */
export function isArtifactRequest(
  { url, resourceType, frame }: RequestDetails,
  gatewayOrigin: string | null,
): boolean {
  const document = frame?.url ?? ''
  if (!isOwnAddress(document, gatewayOrigin) || /frame$/i.test(resourceType ?? 'frame'))
    return false
  const { pathname, searchParams } = new URL(document)
  return (
    originOf(url.replace(/^ws(s?):/i, 'http$1:')) !== null &&
    pathname.endsWith(ARTIFACT_FRAME) &&
    searchParams.has(NETWORK)
  )
}

/**
 * Returns true if a script in the document for tool servers made the request. That document's
 * policy was applied before.
 */
export function isToolRequest(
  { url, resourceType, frame }: RequestDetails,
  gatewayOrigin: string | null,
): boolean {
  const document = resourceType === 'xhr' ? (frame?.url ?? '') : ''
  return (
    originOf(url) !== null &&
    isOwnAddress(document, gatewayOrigin) &&
    new URL(document).pathname === TOOL_FRAME
  )
}

export interface SessionSecurity {
  /** Origin of the window's page; it stays the same while the gateway restarts. */
  readonly pageOrigin: () => string | null
  /**
   * Origin of the running gateway; null while it is not running. Between a crash and the restart
   * another program could take the port, so the window may not send any request then.
   */
  readonly gatewayOrigin: () => string | null
  readonly allowsDevTools: boolean
  /** Receives the requests that leave the app. */
  readonly traffic: Pick<WindowTraffic, 'expect' | 'follow'>
  /** Resolves with true if a window may contact a host, which sealed mode refuses. */
  readonly mayLeave: (
    place: { readonly host: string; readonly port: number },
    purpose: LeavePurpose,
  ) => Promise<boolean>
}

/** Returns the reason for which a document may contact other hosts; null if it may not. */
function findPurpose(details: RequestDetails, gatewayOrigin: string | null): LeavePurpose | null {
  if (isToolRequest(details, gatewayOrigin)) return 'tool_server'
  return isArtifactRequest(details, gatewayOrigin) ? 'window' : null
}

/** A request without a body has no such field. */
const countUpload = ({ uploadData }: Partial<Pick<OnBeforeRequestListenerDetails, 'uploadData'>>) =>
  uploadData?.reduce((total, { bytes }) => total + bytes.length, 0) ?? 0

/** Restricts the permissions and network targets of a session. */
export function secureSession(
  session: Session,
  { pageOrigin, gatewayOrigin, allowsDevTools, traffic, mayLeave }: SessionSecurity,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(
      details.isMainFrame &&
        isPermissionAllowed(permission, details.requestingUrl, pageOrigin(), toMedia(details)),
    )
  })
  session.setPermissionCheckHandler(
    (_contents, permission, requestingOrigin, details) =>
      details.isMainFrame &&
      isPermissionAllowed(permission, requestingOrigin, pageOrigin(), details),
  )
  session.setDevicePermissionHandler(() => false)
  traffic.follow(session)
  session.webRequest.onBeforeRequest((details, answer) => {
    const isDevTools = allowsDevTools && details.url.startsWith('devtools:')
    if (isDevTools || isRequestAllowed(details.url, gatewayOrigin()))
      return answer({ cancel: false })
    const purpose = findPurpose(details, gatewayOrigin())
    if (purpose === null) return answer({ cancel: true })
    const decide = (isAllowed: boolean): void => {
      const { id, url } = details
      if (isAllowed) traffic.expect({ id, url, sent: countUpload(details) }, purpose)
      answer({ cancel: !isAllowed })
    }
    mayLeave(toPlace(details.url), purpose).then(decide, () => decide(false))
  })
}

export interface ContentsSecurity {
  readonly pageOrigin: () => string | null
  /** Receives URLs outside the gateway that the page tried to open. */
  readonly onExternal: (url: string) => void
  readonly allowsDevTools: boolean
}

interface NavigationEvent {
  preventDefault(): void
  readonly url: string
  readonly isMainFrame: boolean
}

/**
 * Restricts a page to the gateway's origin: no foreign navigation, no new windows, no embedded
 * views.
 */
export function secureContents(
  contents: WebContents,
  { pageOrigin, onExternal, allowsDevTools }: ContentsSecurity,
): void {
  const keepInside = (event: NavigationEvent): void => {
    if (isOwnAddress(event.url, pageOrigin())) return
    event.preventDefault()
    if (event.isMainFrame) onExternal(event.url)
  }
  contents.on('will-navigate', keepInside)
  contents.on('will-redirect', keepInside)
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) keepInside(event)
  })
  contents.setWindowOpenHandler(({ url }) => {
    onExternal(url)
    return { action: 'deny' }
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  if (!allowsDevTools) contents.on('devtools-opened', () => contents.closeDevTools())
}

/** Returns the URL of the document in which the app runs code, below the gateway's base URL. */
export const toCodeAddress = (gatewayUrl: string): string =>
  new URL('frames/python.html', gatewayUrl.replace(/\/*$/, '/')).href

/** Returns true for the files of that document: itself, its script, and its workers. */
export const isNeededForCode = (url: string, address: string): boolean =>
  url === address || url === address.replace(/html$/, 'js') || url.startsWith('blob:')

/** Allows a session to load only that document, and nothing else. */
export function secureCodeSession(session: Session, address: string): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !isNeededForCode(url, address) }),
  )
}
