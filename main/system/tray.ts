import { clipboard, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import { PRODUCT, say } from './language.ts'
import type { GatewayState } from '../gateway/supervise-gateway.ts'

export interface TrayActions {
  readonly open: () => void
  readonly quickAsk: () => void
  readonly restart: () => void
  readonly isPaused: () => boolean
  readonly setPaused: (isPaused: boolean) => void
  readonly quit: () => void
  /** Returns the number of unread chats and channels. */
  readonly unread: () => number
  readonly staysInTray: () => boolean
  readonly setStaysInTray: (stays: boolean) => void
}

function sayState(state: GatewayState, isPaused: boolean): string {
  if (state.name !== 'ready') return say(`tray.${state.name}`)
  if (state.isSilent) return say('tray.silent')
  return say(isPaused ? 'tray.paused' : 'tray.ready')
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
          { label: say('tray.copyAddress'), click: () => void clipboard.writeText(state.url) },
        ]
      : []
  const background: MenuItemConstructorOptions = {
    label: say('tray.background'),
    type: 'checkbox',
    checked: actions.staysInTray(),
    click: ({ checked }) => actions.setStaysInTray(checked),
  }
  const pause: MenuItemConstructorOptions = {
    label: say('tray.pause'),
    type: 'checkbox',
    checked: actions.isPaused(),
    click: ({ checked }) => actions.setPaused(checked),
  }
  return [
    { label: sayState(state, actions.isPaused()), enabled: false },
    ...address,
    { type: 'separator' },
    { label: say('tray.open'), click: actions.open },
    { label: say('quick.open'), click: actions.quickAsk },
    pause,
    { label: say('tray.restart'), click: actions.restart },
    ...(platform === 'darwin' ? [] : [background]),
    { type: 'separator' },
    { label: say('role.quit'), click: actions.quit },
  ]
}

/**
 * The entry in the system's tray or menu bar. Some desktops show none, so all its functions are
 * available elsewhere too.
 */
export class TrayEntry {
  readonly #tray: Tray
  readonly #actions: TrayActions

  constructor(iconFile: string, actions: TrayActions) {
    const image = nativeImage.createFromPath(iconFile)
    image.setTemplateImage(process.platform === 'darwin')
    this.#tray = new Tray(image)
    this.#actions = actions
    this.#tray.on('click', actions.open)
  }

  show(state: GatewayState): void {
    const actions = this.#actions
    const unread = actions.unread()
    const news = unread > 0 ? ` – ${say('tray.unread', { count: String(unread) })}` : ''
    this.#tray.setToolTip(`${PRODUCT} – ${sayState(state, actions.isPaused())}${news}`)
    const template = toTrayTemplate(state, actions, process.platform)
    this.#tray.setContextMenu(Menu.buildFromTemplate(template))
  }
}
