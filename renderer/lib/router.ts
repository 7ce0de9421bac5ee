import { useSyncExternalStore } from 'react'
import { basePath, withBase } from './base-path.ts'

const ADMIN_PAGES = [
  'connections',
  'doctor',
  'local-models',
  'sharing',
  'outgoing',
  'gateway',
  'speech',
  'code',
  'documents',
  'pictures',
  'announcements',
  'users',
  'groups',
  'permissions',
  'directory',
  'single-sign-on',
  'analytics',
  'requests',
  'webhooks',
  'api',
] as const

export const SETTINGS_PAGES = Object.freeze([
  'account',
  'appearance',
  'voice',
  'memories',
  'keys',
  'data',
  'desktop',
  'time-machine',
  ...ADMIN_PAGES,
  'about',
] as const)
export type SettingsPage = (typeof SETTINGS_PAGES)[number]

/** True if only administrators have this page; other users see their account page at its URL. */
export const isForAdmins = (page: SettingsPage): boolean =>
  (ADMIN_PAGES as readonly SettingsPage[]).includes(page)

/** Kinds of items in the workspace. */
export const WORKSPACE_AREAS = Object.freeze([
  'models',
  'prompts',
  'skills',
  'automations',
  'calendar',
  'notes',
  'knowledge',
  'files',
  'tools',
  'functions',
  'arena',
  'prices',
] as const)
export type WorkspaceArea = (typeof WORKSPACE_AREAS)[number]

/**
 * Parameters of a new chat's URL, so that bookmarks, browser search entries and scripts can start
 * one.
 */
export interface ChatBeginning {
  readonly text: string
  /** True if the text is sent immediately rather than only inserted into the box. */
  readonly isSent: boolean
  readonly modelIds: readonly string[]
  readonly isTemporary: boolean
  readonly isWebSearched: boolean
  readonly makesPictures: boolean
  /** Ids of tools available to the answer. */
  readonly toolIds: readonly string[]
  /** URLs of pages the question is about, as given. */
  readonly pages: readonly string[]
}

/** Every route of the UI. `message` is the id of a message of a chat. */
export type Route =
  | {
      readonly name: 'chat'
      readonly chatId: string | null
      readonly message: string | null
      readonly beginning?: ChatBeginning | null
    }
  /** `about` identifies the connection that a link refers to, `step` the step of its check. */
  | {
      readonly name: 'settings'
      readonly page: SettingsPage
      readonly about?: string | null
      readonly step?: string | null
    }
  /** `item` is the id of the open item, empty for a new one. */
  | { readonly name: 'workspace'; readonly area: WorkspaceArea; readonly item: string | null }
  /** `message` is the id of a message, `thread` that of the one whose replies are open. */
  | {
      readonly name: 'channel'
      readonly channelId: string
      readonly message: string | null
      readonly thread: string | null
    }
  /** Lists of chats that are not in the sidebar. */
  | { readonly name: 'archived' | 'shared' | 'trash' }
  /** Starred messages. */
  | { readonly name: 'starred' }
  /** Pictures of the user. */
  | { readonly name: 'pictures' }
  /** Shared chat behind a share link. */
  | { readonly name: 'share'; readonly shareId: string }
  | { readonly name: 'auth' }
  /** Quick window of the desktop app. */
  | { readonly name: 'quick' }
  /** Request of a desktop app link, as JSON. */
  | { readonly name: 'link'; readonly asked: string }

const isSettingsPage = (text: string | undefined): text is SettingsPage =>
  SETTINGS_PAGES.includes(text as SettingsPage)

/** Former pages of the settings whose content is in the workspace. */
const MOVED_PAGES: ReadonlyMap<string | undefined, WorkspaceArea> = new Map([
  ['own-tools', 'tools'],
  ['tool-servers', 'tools'],
])

const isWorkspaceArea = (text: string | undefined): text is WorkspaceArea =>
  WORKSPACE_AREAS.includes(text as WorkspaceArea)

/** A part of a URL that is not valid percent-encoding is used verbatim. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const LONGEST_LIST = 20

const toList = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .slice(0, LONGEST_LIST)

/**
 * Reads `q`, `shared`, `submit`, `model`, `models`, `tools`, `tool-ids`, `load-url`, `youtube`,
 * `temporary-chat`, `web-search` and `image-generation`; other names are ignored. Returns null if
 * no parameter is given.
 *
 * @NOTE A question with tools or pages always waits for the user's confirmation, regardless of
 *   their link settings: its effects go beyond a text.
 */
export function parseBeginning(search: string): ChatBeginning | null {
  const query = new URLSearchParams(search)
  const isOn = (name: string): boolean => query.get(name) === 'true'
  const asked = query.get('q')
  // Programs share a text and its URL under the same parameter name.
  const shared = [...new Set(query.getAll('shared').filter(Boolean))].join('\n')
  const text = asked ?? shared
  const modelIds = toList(query.get('models') ?? query.get('model'))
  const toolIds = toList(query.get('tool-ids') ?? query.get('tools'))
  const video = query.get('youtube')?.trim()
  const pages = [
    query.get('load-url')?.trim() ?? '',
    video ? `https://www.youtube.com/watch?v=${encodeURIComponent(video)}` : '',
  ].filter(Boolean)
  const reachesFurther = toolIds.length > 0 || pages.length > 0
  const beginning = {
    text,
    isSent: Boolean(asked) && query.get('submit') !== 'false' && !reachesFurther,
    modelIds,
    isTemporary: isOn('temporary-chat'),
    isWebSearched: isOn('web-search'),
    makesPictures: isOn('image-generation'),
    toolIds,
    pages,
  }
  const { isTemporary, isWebSearched, makesPictures } = beginning
  const isAsked =
    text !== '' ||
    modelIds.length > 0 ||
    reachesFurther ||
    isTemporary ||
    isWebSearched ||
    makesPictures
  return isAsked ? beginning : null
}

const withoutBase = (pathname: string): string =>
  pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname

function parseSettings(page: string | undefined, search: string): Route {
  const area = MOVED_PAGES.get(page)
  if (area) return { name: 'workspace', area, item: null }
  const query = new URLSearchParams(search)
  const about = query.get('connection')
  if (page === 'connections' && about) return { name: 'settings', page, about }
  if (page !== 'doctor') return { name: 'settings', page: isSettingsPage(page) ? page : 'account' }
  return { name: 'settings', page, about, step: query.get('step') }
}

/** Parses a URL; unknown ones become the new-chat page. */
export function parseRoute(pathname: string, search = ''): Route {
  const [first, second] = withoutBase(pathname).split('/').filter(Boolean).map(decode)
  if (first === 'auth' || first === 'quick') return { name: first }
  if (first === 'link')
    return { name: 'link', asked: new URLSearchParams(search).get('asked') ?? '' }
  if (first === 'settings') return parseSettings(second, search)
  if (first === 'workspace') {
    return {
      name: 'workspace',
      area: isWorkspaceArea(second) ? second : 'models',
      item: new URLSearchParams(search).get('id'),
    }
  }
  if (first === 'archived' || first === 'shared' || first === 'trash') return { name: first }
  if (first === 'pictures' || first === 'starred') return { name: first }
  if (first === 'channels' && second) {
    const query = new URLSearchParams(search)
    return {
      name: 'channel',
      channelId: second,
      message: query.get('message'),
      thread: query.get('thread'),
    }
  }
  if (first === 's' && second) return { name: 'share', shareId: second }
  if (first === 'c' && second)
    return { name: 'chat', chatId: second, message: new URLSearchParams(search).get('message') }
  const beginning = parseBeginning(search)
  return { name: 'chat', chatId: null, message: null, ...(beginning && { beginning }) }
}

function toChannelPath({
  channelId,
  thread,
  message,
}: Extract<Route, { name: 'channel' }>): string {
  const query = new URLSearchParams({
    ...(thread !== null && { thread }),
    ...(message !== null && { message }),
  }).toString()
  return `/channels/${encodeURIComponent(channelId)}${query && `?${query}`}`
}

function toSettingsPath({ page, about, step }: Extract<Route, { name: 'settings' }>): string {
  const query = new URLSearchParams({
    ...(about && { connection: about }),
    ...(step && { step }),
  }).toString()
  return `/settings/${page}${query && `?${query}`}`
}

function toOwnPath(route: Route): string {
  if (route.name === 'settings') return toSettingsPath(route)
  if (route.name === 'workspace')
    return `/workspace/${route.area}${route.item === null ? '' : `?id=${encodeURIComponent(route.item)}`}`
  if (route.name === 'link')
    return `/link?${new URLSearchParams({ asked: route.asked }).toString()}`
  if (route.name === 'share') return `/s/${encodeURIComponent(route.shareId)}`
  if (route.name === 'channel') return toChannelPath(route)
  if (route.name !== 'chat') return `/${route.name}`
  if (route.chatId === null) return '/'
  const message = route.message ? `?message=${encodeURIComponent(route.message)}` : ''
  return `/c/${encodeURIComponent(route.chatId)}${message}`
}

/** Returns the URL of a route. */
export const toPath = (route: Route): string => withBase(toOwnPath(route))

/** Returns the URL of a workspace area, or of one item in it. */
export const workspacePath = (area: WorkspaceArea, item: string | null = null): string =>
  toPath({ name: 'workspace', area, item })

/** Returns the URL of a connection's check, by its id or name, at one of its steps. */
export const doctorPath = (about: string | null, step: string | null = null): string =>
  toPath({ name: 'settings', page: 'doctor', about, step })

/** Returns the URL of a connection's form, by its id or name; null for the list of all. */
export const connectionPath = (about: string | null): string =>
  toPath({ name: 'settings', page: 'connections', about })

/** Returns the URL of a chat, or of the new-chat page for null. */
export const chatPath = (chatId: string | null, message: string | null = null): string =>
  toPath({ name: 'chat', chatId, message })

/** Returns the URL of a channel, a thread in it, or one message. */
export const channelPath = (
  channelId: string,
  place: { readonly thread?: string | null; readonly message?: string | null } = {},
): string =>
  toPath({
    name: 'channel',
    channelId,
    thread: place.thread ?? null,
    message: place.message ?? null,
  })

const listeners = new Set<() => void>()
let current: { readonly key: string; readonly route: Route } | null = null
let lastChat = withBase('/')

const notify = (): void => {
  for (const listener of listeners) listener()
}

/** Returns the current path. */
export const currentPath = (): string => location.pathname + location.search

function readRoute(): Route {
  const key = currentPath()
  if (current?.key !== key) current = { key, route: parseRoute(location.pathname, location.search) }
  if (current.route.name === 'chat') lastChat = toPath(current.route)
  return current.route
}

/** Returns the URL of the last open chat, the target of back links. */
export const lastChatPath = (): string => lastChat

/** Returns true if leaving must wait, and keeps the callback that continues. */
type LeavingGuard = (go: () => void) => boolean

let guard: LeavingGuard | null = null

/** Registers a guard that can delay leaving a page; returns the function that removes it. */
export function guardLeaving(asked: LeavingGuard): () => void {
  guard = asked
  return () => {
    if (guard === asked) guard = null
  }
}

/** A history step has already happened at this point, so one that has to wait is reverted. */
function handleStep(): void {
  const wanted = currentPath()
  const shown = current === null ? wanted : toPath(current.route)
  if (wanted !== shown && guard?.(() => go(wanted, false)) === true)
    history.pushState(null, '', shown)
  else notify()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', handleStep)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('popstate', handleStep)
  }
}

function go(path: string, isReplacing: boolean): void {
  if (isReplacing) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  notify()
}

/**
 * Navigates to a path of the UI; `replace` adds no history entry. With `from`, navigates only if
 * that path is still shown, e.g. after waiting for a response.
 */
export function navigate(path: string, options: { replace?: boolean; from?: string } = {}): void {
  const shown = currentPath()
  if (path === shown || (options.from !== undefined && options.from !== shown)) return
  const isReplacing = options.replace === true
  // Navigation that replaces a page or follows a wait completes a save or deletion, so the guard is
  // skipped.
  const isAsked = !isReplacing && options.from === undefined
  if (isAsked && guard?.(() => go(path, false)) === true) return
  go(path, isReplacing)
}

/** Returns the current route. */
export const currentRoute = (): Route => readRoute()

/** Returns the current route, for components. */
export const useRoute = (): Route => useSyncExternalStore(subscribe, readRoute)
