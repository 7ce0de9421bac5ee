import {
  clipboard,
  Menu,
  type BrowserWindow,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
} from 'electron'
import { say } from '../system/language.ts'

type Params = Pick<
  ContextMenuParams,
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'isEditable'
  | 'editFlags'
  | 'selectionText'
  | 'linkURL'
  | 'hasImageContents'
>

export interface ContextActions {
  readonly replace: (word: string) => void
  readonly learn: (word: string) => void
  readonly copyText: (text: string) => void
  readonly copyPicture: () => void
  readonly savePicture: () => void
}

const MOST_SUGGESTIONS = 5
/** URLs inside the page are meaningless elsewhere. */
const isCopyable = (address: string): boolean => /^(?:https?|mailto):/i.test(address)

function spellingItems(
  { misspelledWord, dictionarySuggestions }: Params,
  { replace, learn }: ContextActions,
): MenuItemConstructorOptions[] {
  if (misspelledWord === '') return []
  const words = dictionarySuggestions.slice(0, MOST_SUGGESTIONS)
  const suggestions = words.map((word) => ({ label: word, click: () => replace(word) }))
  const none = { label: say('context.noSuggestion'), enabled: false }
  return [
    ...(suggestions.length > 0 ? suggestions : [none]),
    { label: say('context.learn'), click: () => learn(misspelledWord) },
  ]
}

function textItems({ isEditable, editFlags, selectionText }: Params): MenuItemConstructorOptions[] {
  const copy = { role: 'copy', label: say('role.copy'), enabled: editFlags.canCopy } as const
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  return [
    { role: 'cut', label: say('role.cut'), enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: say('role.paste'), enabled: editFlags.canPaste },
    { role: 'selectAll', label: say('role.selectAll'), enabled: editFlags.canSelectAll },
  ]
}

/** Returns the items of the context menu; empty if there are none. */
export function toContextTemplate(
  params: Params,
  actions: ContextActions,
): MenuItemConstructorOptions[] {
  const { linkURL, hasImageContents } = params
  const groups = [
    spellingItems(params, actions),
    textItems(params),
    isCopyable(linkURL)
      ? [{ label: say('context.copyLink'), click: () => actions.copyText(linkURL) }]
      : [],
    hasImageContents
      ? [
          { label: say('context.copyPicture'), click: actions.copyPicture },
          { label: say('context.savePicture'), click: actions.savePicture },
        ]
      : [],
  ].filter((group) => group.length > 0)
  return groups.flatMap((group, place) =>
    place === 0 ? group : [{ type: 'separator' as const }, ...group],
  )
}

/** Adds a context menu to a window, wherever its page has none. */
export function offerContextMenu(window: BrowserWindow): void {
  const { webContents } = window
  webContents.on('context-menu', (_event, params) => {
    const template = toContextTemplate(params, {
      replace: (word) => webContents.replaceMisspelling(word),
      learn: (word) => void webContents.session.addWordToSpellCheckerDictionary(word),
      copyText: (text) => void clipboard.writeText(text),
      copyPicture: () => webContents.copyImageAt(params.x, params.y),
      savePicture: () => webContents.downloadURL(params.srcURL),
    })
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
}
