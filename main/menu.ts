import { Menu, type MenuItemConstructorOptions } from 'electron'
import { commands, type CommandId, type CommandRow } from '#desktop'

export interface MenuOptions {
  readonly platform: NodeJS.Platform
  readonly allowsDevTools: boolean
  readonly runCommand: (id: CommandId) => void
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** On macOS these live under the app's name, as people expect there. */
const APP_MENU_COMMANDS = new Set(['settings.open', 'help.about'])

function toItem(
  { id, label, accelerator }: CommandRow,
  runCommand: MenuOptions['runCommand'],
): MenuItemConstructorOptions {
  return { id, label, ...(accelerator && { accelerator }), click: () => runCommand(id) }
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
    label: 'Edit',
    submenu: [...roles.map((role) => (role ? { role } : separator)), ...items],
  }
}

function viewMenu(
  items: MenuItemConstructorOptions[],
  allowsDevTools: boolean,
): MenuItemConstructorOptions {
  const zoom: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
  ]
  const development: MenuItemConstructorOptions[] = allowsDevTools
    ? [separator, { role: 'toggleDevTools' }]
    : []
  return {
    label: 'View',
    submenu: [
      ...items,
      separator,
      ...zoom,
      separator,
      { role: 'togglefullscreen' },
      { role: 'reload' },
      ...development,
    ],
  }
}

function macAppMenu(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions {
  const system = ['services', null, 'hide', 'hideOthers', 'unhide', null, 'quit'] as const
  return {
    role: 'appMenu',
    submenu: [...items, separator, ...system.map((role) => (role ? { role } : separator))],
  }
}

/** The native menu: every command of the interface at its place, plus what the system expects. */
export function toMenuTemplate({
  platform,
  allowsDevTools,
  runCommand,
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
    ? [{ role: 'close' }]
    : [{ role: 'close' }, { role: 'quit' }]
  return [
    ...(isMac ? [macAppMenu(appItems)] : []),
    { label: 'File', submenu: [...inMenu('file'), separator, ...lastOfFile] },
    editMenu(inMenu('edit')),
    viewMenu(inMenu('view'), allowsDevTools),
    { label: 'Chat', submenu: inMenu('chat') },
    ...(isMac ? [{ role: 'windowMenu' as const }] : []),
    { role: 'help', label: 'Help', submenu: inMenu('help') },
  ]
}

export const installMenu = (options: MenuOptions): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(toMenuTemplate(options)))
