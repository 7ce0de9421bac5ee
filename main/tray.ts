import { clipboard, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import type { GatewayState } from './supervise-gateway.ts'

const STATE_TEXT: Record<GatewayState['name'], string> = {
  stopped: 'Gateway is stopped',
  starting: 'Gateway is starting…',
  restarting: 'Gateway is restarting…',
  ready: 'Gateway is running',
  failed: 'Gateway has failed',
}

export interface TrayActions {
  readonly open: () => void
  readonly restart: () => void
  readonly quit: () => void
  readonly staysInTray: () => boolean
  readonly setStaysInTray: (stays: boolean) => void
}

export function toTrayTemplate(
  state: GatewayState,
  actions: TrayActions,
  platform: NodeJS.Platform,
): MenuItemConstructorOptions[] {
  const address: MenuItemConstructorOptions[] =
    state.name === 'ready'
      ? [
          { label: state.url, enabled: false },
          { label: 'Copy address', click: () => void clipboard.writeText(state.url) },
        ]
      : []
  const background: MenuItemConstructorOptions = {
    label: 'Keep running when the window is closed',
    type: 'checkbox',
    checked: actions.staysInTray(),
    click: ({ checked }) => actions.setStaysInTray(checked),
  }
  return [
    { label: STATE_TEXT[state.name], enabled: false },
    ...address,
    { type: 'separator' },
    { label: 'Open Chat Gateway', click: actions.open },
    { label: 'Restart gateway', click: actions.restart },
    ...(platform === 'darwin' ? [] : [background]),
    { type: 'separator' },
    { label: 'Quit', click: actions.quit },
  ]
}

export interface TrayEntry {
  show(state: GatewayState): void
}

/**
 * The entry in the system's tray or menu bar. Some desktops show none, so everything here exists
 * elsewhere too.
 */
export function createTray(iconFile: string, actions: TrayActions): TrayEntry {
  const image = nativeImage.createFromPath(iconFile)
  image.setTemplateImage(process.platform === 'darwin')
  const tray = new Tray(image)
  tray.on('click', actions.open)
  return {
    show(state) {
      tray.setToolTip(`Chat Gateway – ${STATE_TEXT[state.name]}`)
      tray.setContextMenu(Menu.buildFromTemplate(toTrayTemplate(state, actions, process.platform)))
    },
  }
}
