import { Menu, type MenuItemConstructorOptions } from 'electron'
import { commands, type CommandId, type CommandRow } from '#desktop'
import { say, sayCommand } from './language.ts'

export interface MenuOptions {
  readonly platform: NodeJS.Platform
  readonly allowsDevTools: boolean
  readonly runCommand: (id: CommandId) => void
  readonly quickAsk: () => void
  readonly openWindow: () => void
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

type Role = NonNullable<MenuItemConstructorOptions['role']>

/** Returns a menu item with a system role, translated: Electron's own labels are English. */
const toRole = (role: Role | null): MenuItemConstructorOptions =>
  role ? { role, label: say(`role.${role}`) } : separator

/** On macOS these belong in the app menu, by convention. */
const APP_MENU_COMMANDS = new Set(['settings.open', 'help.about'])

function toItem(
  { id, label, accelerator }: CommandRow,
  runCommand: MenuOptions['runCommand'],
): MenuItemConstructorOptions {
  return {
    id,
    label: sayCommand(id, label),
    ...(accelerator && { accelerator }),
    click: () => runCommand(id),
  }
}

function editMenu(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions {
  const roles = [
    'undo',
    'redo',
    null,
    'cut',
    'copy',
    'paste',
    'pasteAndMatchStyle',
    'delete',
    'selectAll',
  ] as const
  return {
    label: say('menu.edit'),
    submenu: [...roles.map(toRole), ...items],
  }
}

function viewMenu(
  items: MenuItemConstructorOptions[],
  allowsDevTools: boolean,
): MenuItemConstructorOptions {
  const zoom = (['resetZoom', 'zoomIn', 'zoomOut'] as const).map(toRole)
  const development: MenuItemConstructorOptions[] = allowsDevTools
    ? [separator, toRole('toggleDevTools')]
    : []
  return {
    label: say('menu.view'),
    submenu: [
      ...items,
      separator,
      ...zoom,
      separator,
      toRole('togglefullscreen'),
      toRole('reload'),
      ...development,
    ],
  }
}

function macAppMenu(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions {
  const system = ['services', null, 'hide', 'hideOthers', 'unhide', null, 'quit'] as const
  return {
    role: 'appMenu',
    submenu: [...items, separator, ...system.map(toRole)],
  }
}

const macWindowMenu = (): MenuItemConstructorOptions => ({
  role: 'windowMenu',
  label: say('menu.window'),
  submenu: (['minimize', 'zoom', null, 'front'] as const).map(toRole),
})

/**
 * Returns the native menu: every command of the UI at its position, plus the system's standard
 * items.
 */
export function toMenuTemplate({
  platform,
  allowsDevTools,
  runCommand,
  quickAsk,
  openWindow,
}: MenuOptions): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin'
  const inMenu = (menu: CommandRow['menu']): MenuItemConstructorOptions[] =>
    commands
      .filter((row) => row.menu === menu && !(isMac && APP_MENU_COMMANDS.has(row.id)))
      .map((row) => toItem(row, runCommand))
  const appItems = commands
    .filter(({ id }) => APP_MENU_COMMANDS.has(id))
    .map((row) => toItem(row, runCommand))
  const lastOfFile: MenuItemConstructorOptions[] = isMac
    ? [toRole('close')]
    : [toRole('close'), toRole('quit')]
  return [
    ...(isMac ? [macAppMenu(appItems)] : []),
    {
      label: say('menu.file'),
      submenu: [
        ...inMenu('file'),
        separator,
        {
          id: 'newWindow',
          label: say('window.another'),
          accelerator: 'CmdOrCtrl+Shift+N',
          click: openWindow,
        },
        { id: 'quickAsk', label: say('quick.open'), click: quickAsk },
        separator,
        ...lastOfFile,
      ],
    },
    editMenu(inMenu('edit')),
    viewMenu(inMenu('view'), allowsDevTools),
    { label: say('menu.chat'), submenu: inMenu('chat') },
    ...(isMac ? [macWindowMenu()] : []),
    { role: 'help', label: say('menu.help'), submenu: inMenu('help') },
  ]
}

export const installMenu = (options: MenuOptions): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(toMenuTemplate(options)))
