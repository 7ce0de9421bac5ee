import { z, type ZodType } from 'zod'
import type { eventNames, requestNames } from './names.ts'
import { updateActSchema, updateModeSchema, updateStateSchema } from './updates.ts'

export { ipcChannels, type IpcReply } from './names.ts'
export {
  updateModeSchema,
  type UpdateAct,
  type UpdateMode,
  type UpdateProblem,
  type UpdateState,
} from './updates.ts'

/**
 * Global shortcuts in Electron's notation. Letters need more than Shift, otherwise they could no
 * longer be typed.
 */
export const globalShortcutSchema = z
  .string()
  .max(40)
  .regex(
    /^(?=.*(?:CmdOrCtrl|Ctrl|Alt|Super|\+F\d))(?:(?:CmdOrCtrl|Ctrl|Alt|Shift|Super)\+){1,4}(?:[A-Z0-9]|F(?:[1-9]|1\d|2[0-4])|Space)$/,
  )

/** State of the quick window's shortcut: off by choice, or in use by another program. */
const shortcutStateSchema = z.enum(['off', 'active', 'taken', 'unavailable'])
export type ShortcutState = z.output<typeof shortcutStateSchema>

/** Settings of the desktop app itself. */
const shellChoices = {
  quickAskShortcut: globalShortcutSchema.nullable(),
  quickAskStaysOnTop: z.boolean(),
  staysInTray: z.boolean(),
  startsAtLogin: z.boolean(),
  isPaused: z.boolean(),
  checksSpelling: z.boolean(),
  /** Null until the user has decided; no checks are made before. */
  updates: updateModeSchema.nullable(),
} as const

/** Reason a link of the app is refused. */
const linkRefusalSchema = z.enum(['long', 'unreadable', 'unknown'])

/**
 * Request of a `chat-gateway://` link. Main parses it strictly; the page shows it and does nothing
 * before the user confirms.
 */
export const deepLinkSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('chat'), chatId: z.string().regex(/^[A-Za-z0-9-]{1,64}$/) }),
  z.strictObject({
    kind: z.literal('ask'),
    text: z.string().min(1).max(8_000),
    model: z
      .string()
      .regex(/^[\w.:/@-]{1,200}$/)
      .nullable(),
  }),
  z.strictObject({
    kind: z.literal('tool-server'),
    name: z.string().regex(/^[A-Za-z0-9][\w .-]{0,63}$/),
    /** One entry of the common `mcpServers` format. */
    config: z
      .strictObject({
        type: z.string().max(40).optional(),
        url: z
          .url({ protocol: /^https?$/ })
          .max(2_000)
          .optional(),
        headers: z.record(z.string().max(200), z.string().max(2_000)).optional(),
        command: z.string().min(1).max(500).optional(),
        args: z.array(z.string().max(2_000)).max(50).optional(),
        env: z.record(z.string().max(200), z.string().max(2_000)).optional(),
      })
      .refine(({ url, command }) => (url === undefined) !== (command === undefined)),
  }),
  z.strictObject({ kind: z.literal('refused'), reason: linkRefusalSchema }),
])
export type DeepLink = z.output<typeof deepLinkSchema>

/**
 * Messages between the window and the main process. Requests are sent by the window and answered by
 * main; events are sent by main to the window. Both sides validate against these schemas.
 */
export const requests = {
  /**
   * Facts for the about page. `secrets` states where the root key is stored and, if that is weak,
   * why.
   */
  'app.info': {
    input: z.strictObject({}),
    output: z.object({
      productVersion: z.string(),
      electronVersion: z.string(),
      platform: z.string(),
      gatewayUrl: z.string(),
      dataFolder: z.string(),
      secrets: z.object({ kind: z.enum(['keychain', 'file']), warning: z.string().nullable() }),
    }),
  },
  /**
   * Returns the page's half of the session that main signed in, once; null if the page already has
   * it.
   */
  'session.takeKey': {
    input: z.strictObject({}),
    output: z.object({ key: z.string().nullable() }),
  },
  /** Opens an http, https or mailto URL in the system's default program, after confirmation. */
  'shell.openExternal': {
    input: z.strictObject({ url: z.string().max(4096) }),
    output: z.object({ opened: z.boolean() }),
  },
  /** Applies the chosen theme to the title bar and the background of the next start. */
  'window.setTheme': {
    input: z.strictObject({ theme: z.enum(['light', 'dark', 'system']) }),
    output: z.object({}),
  },
  /** Sets the language of menus, tray and dialogs to that of the UI, including the next start. */
  'window.setLanguage': {
    input: z.strictObject({ language: z.string().min(2).max(20) }),
    output: z.object({}),
  },
  /** Sets the marks beside the app's icon; omitted fields stay unchanged. */
  'window.setMarks': {
    input: z
      .strictObject({
        /** Number of unread chats and channels. */
        unread: z.int().min(0).max(99_999),
        /** Combined progress of model downloads; null if none is running. */
        downloads: z.number().min(0).max(1).nullable(),
      })
      .partial(),
    output: z.object({}),
  },
  /** Shows a system notification while the window has no focus; a click opens a path of the UI. */
  'notification.show': {
    input: z.strictObject({
      title: z.string().max(200),
      body: z.string().max(1000),
      path: z.string().max(2000).startsWith('/'),
    }),
    output: z.object({ shown: z.boolean() }),
  },
  /** Opens the data folder in the file manager. */
  'data.openFolder': { input: z.strictObject({}), output: z.object({}) },
  'gateway.restart': { input: z.strictObject({}), output: z.object({}) },
  /** Changes the given settings, and returns all settings with their resulting states. */
  'shell.settings': {
    input: z.strictObject({ change: z.strictObject(shellChoices).partial() }),
    output: z.object({
      ...shellChoices,
      quickAskShortcutState: shortcutStateSchema,
      /** True if this system and build can start the app at login. */
      offersLogin: z.boolean(),
      /** True if spell checking downloads a word list once. */
      downloadsWordList: z.boolean(),
    }),
  },
  /**
   * Requests of the quick window about itself: to hide, to continue in the main window at a path,
   * or to fit the size of an answer.
   */
  'quickAsk.act': {
    input: z.discriminatedUnion('act', [
      z.strictObject({ act: z.literal('hide') }),
      z.strictObject({ act: z.literal('continue'), path: z.string().max(2000).startsWith('/') }),
      z.strictObject({ act: z.literal('resize'), isTall: z.boolean() }),
    ]),
    output: z.object({}),
  },
  /** Checks for new versions, or acts on one; returns the current state immediately. */
  'updates.act': { input: z.strictObject({ act: updateActSchema }), output: updateStateSchema },
} as const satisfies Record<(typeof requestNames)[number], { input: ZodType; output: ZodType }>

/** Events from main to the window. */
export const events = {
  /** A menu item, shortcut or tray entry was chosen. */
  command: z.object({
    id: z.string().refine((id): id is CommandId => commands.some((row) => row.id === id)),
  }),
  'gateway.state': z.object({
    /** `silent`: it runs but has stopped answering. */
    state: z.enum(['starting', 'ready', 'silent', 'restarting', 'failed']),
    /** What the user has to know about it. */
    detail: z.string().nullable(),
  }),
  /** A notification was clicked. */
  'place.open': z.object({ path: z.string() }),
  /** The quick window was shown; after a long time the next question starts a new chat. */
  'quickAsk.shown': z.object({ isLongAgo: z.boolean() }),
  /** The update state has changed. */
  'updates.state': updateStateSchema,
} as const satisfies Record<(typeof eventNames)[number], ZodType>

export type RequestName = keyof typeof requests
export type RequestInput<Name extends RequestName> = z.input<(typeof requests)[Name]['input']>
export type RequestOutput<Name extends RequestName> = z.output<(typeof requests)[Name]['output']>
export type ShellSettings = RequestOutput<'shell.settings'>
export type ShellChange = RequestInput<'shell.settings'>['change']
export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>

/** API of the page's `window.desktop`; absent in a plain browser. */
export interface DesktopBridge {
  request<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<RequestOutput<Name>>
  /** Returns the function that unsubscribes. */
  on<Name extends EventName>(
    name: Name,
    listener: (payload: EventPayload<Name>) => void,
  ): () => void
}

/** A command of the UI: one registry supplies the native menu, the keyboard and the palette. */
interface CommandForm {
  readonly id: string
  readonly menu: 'file' | 'edit' | 'view' | 'chat' | 'help'
  readonly label: string
  /** Electron accelerator, also shown in the palette; null for none. */
  readonly accelerator: string | null
}

/** Commands in menu order. `label` is the English text; the UI translates by id. */
export const commands = Object.freeze([
  { id: 'chat.new', menu: 'file', label: 'New chat', accelerator: 'CmdOrCtrl+N' },
  { id: 'folder.new', menu: 'file', label: 'New folder', accelerator: null },
  { id: 'channel.new', menu: 'file', label: 'New channel', accelerator: null },
  { id: 'channel.write', menu: 'file', label: 'New direct message', accelerator: null },
  { id: 'workspace.models', menu: 'file', label: 'Models', accelerator: null },
  { id: 'workspace.prompts', menu: 'file', label: 'Prompts', accelerator: null },
  { id: 'workspace.skills', menu: 'file', label: 'Skills', accelerator: null },
  { id: 'workspace.notes', menu: 'file', label: 'Notes', accelerator: null },
  { id: 'workspace.knowledge', menu: 'file', label: 'Knowledge', accelerator: null },
  { id: 'workspace.files', menu: 'file', label: 'Files', accelerator: null },
  { id: 'workspace.tools', menu: 'file', label: 'Tools', accelerator: null },
  { id: 'workspace.functions', menu: 'file', label: 'Filters and actions', accelerator: null },
  { id: 'workspace.pictures', menu: 'file', label: 'Images', accelerator: null },
  { id: 'picture.make', menu: 'file', label: 'Create image', accelerator: null },
  { id: 'data.import', menu: 'file', label: 'Import and export', accelerator: null },
  { id: 'settings.open', menu: 'file', label: 'Settings', accelerator: 'CmdOrCtrl+,' },
  { id: 'palette.open', menu: 'view', label: 'Command palette', accelerator: 'CmdOrCtrl+K' },
  {
    id: 'sidebar.toggle',
    menu: 'view',
    label: 'Show or hide the chat list',
    accelerator: 'CmdOrCtrl+B',
  },
  {
    id: 'theme.toggle',
    menu: 'view',
    label: 'Switch between light and dark',
    accelerator: 'CmdOrCtrl+Shift+L',
  },
  { id: 'chat.search', menu: 'chat', label: 'Search chats', accelerator: 'CmdOrCtrl+Shift+F' },
  { id: 'chat.find', menu: 'edit', label: 'Find in this chat', accelerator: 'CmdOrCtrl+F' },
  { id: 'chat.temporary', menu: 'chat', label: 'Temporary chat', accelerator: null },
  { id: 'chats.select', menu: 'chat', label: 'Select several chats', accelerator: null },
  { id: 'chats.starred', menu: 'chat', label: 'Favourite messages', accelerator: null },
  { id: 'chats.archived', menu: 'chat', label: 'Archived chats', accelerator: null },
  { id: 'chats.shared', menu: 'chat', label: 'Shared chats', accelerator: null },
  { id: 'chats.trash', menu: 'chat', label: 'Trash', accelerator: null },
  { id: 'chat.previous', menu: 'chat', label: 'Previous chat', accelerator: 'CmdOrCtrl+Shift+[' },
  { id: 'chat.next', menu: 'chat', label: 'Next chat', accelerator: 'CmdOrCtrl+Shift+]' },
  { id: 'composer.focus', menu: 'chat', label: 'Write a message', accelerator: 'CmdOrCtrl+L' },
  { id: 'model.choose', menu: 'chat', label: 'Choose a model', accelerator: 'CmdOrCtrl+Shift+M' },
  { id: 'answer.stop', menu: 'chat', label: 'Stop answer', accelerator: 'CmdOrCtrl+.' },
  { id: 'answer.continue', menu: 'chat', label: 'Continue the answer', accelerator: null },
  {
    id: 'answer.regenerate',
    menu: 'chat',
    label: 'Regenerate answer',
    accelerator: 'CmdOrCtrl+Shift+R',
  },
  {
    id: 'answer.copy',
    menu: 'chat',
    label: 'Copy last answer',
    accelerator: 'CmdOrCtrl+Shift+C',
  },
  { id: 'chat.rename', menu: 'chat', label: 'Rename chat', accelerator: null },
  { id: 'chat.controls', menu: 'chat', label: 'Chat settings', accelerator: null },
  { id: 'chat.map', menu: 'chat', label: 'Branch map', accelerator: null },
  { id: 'chat.usage', menu: 'chat', label: 'Tokens and cost of the chat', accelerator: null },
  { id: 'chat.pin', menu: 'chat', label: 'Pin or unpin chat', accelerator: null },
  { id: 'chat.move', menu: 'chat', label: 'Move chat to a folder', accelerator: null },
  { id: 'chat.tags', menu: 'chat', label: 'Edit chat tags', accelerator: null },
  { id: 'chat.share', menu: 'chat', label: 'Share chat', accelerator: null },
  { id: 'chat.clone', menu: 'chat', label: 'Duplicate chat', accelerator: null },
  { id: 'chat.export', menu: 'chat', label: 'Export chat', accelerator: null },
  { id: 'chat.print', menu: 'chat', label: 'Print chat', accelerator: 'CmdOrCtrl+P' },
  { id: 'chat.archive', menu: 'chat', label: 'Archive chat', accelerator: null },
  { id: 'chat.delete', menu: 'chat', label: 'Delete chat', accelerator: null },
  { id: 'channel.members', menu: 'chat', label: 'Channel members', accelerator: null },
  { id: 'channel.pins', menu: 'chat', label: 'Pinned messages', accelerator: null },
  { id: 'help.shortcuts', menu: 'help', label: 'Keyboard shortcuts', accelerator: 'CmdOrCtrl+/' },
  { id: 'help.about', menu: 'help', label: 'About Chat Gateway', accelerator: null },
] as const satisfies readonly CommandForm[])

export type CommandRow = (typeof commands)[number]
export type CommandId = CommandRow['id']
