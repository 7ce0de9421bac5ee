import { type RefObject, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { replaceTypedWord } from '../../ui/typed-word/find-typed-word.ts'
import { TypedList } from '../../ui/typed-word/typed-list.tsx'
import { placeCaret, useTypedRows, useTypedWord } from '../../ui/typed-word/use-typed-word.ts'
import { chooseModel, filterModels, type ModelsStore } from './models-store.ts'

const MOST = 30

interface ModelMenuProps {
  readonly store: ModelsStore
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onChange: (text: string) => void
  /** Opens the setup of a first model; absent for users who cannot connect one. */
  readonly onConnect?: () => void
}

/**
 * Menu of models after an at sign: typing filters, Enter selects the model that answers the
 * message.
 */
export function ModelMenu({ store, box, text, onChange, onConnect }: ModelMenuProps) {
  const { t } = useTranslation()
  const listId = useId()
  const models = useStore(store, (state) => state.models)
  const isReady = useStore(store, (state) => state.status === 'ready')
  const { found: typed, dismiss } = useTypedWord(box, text, '@')
  const word = typed?.word ?? ''
  const found = typed === null ? [] : filterModels(models, word).slice(0, MOST)
  const isEmpty = isReady && models.length === 0 && word === '' && onConnect !== undefined
  const count = isEmpty ? 1 : found.length
  const choose = (row: number): void => {
    const model = found[row]
    if (!typed) return
    if (!model) return onConnect?.()
    const next = replaceTypedWord(box.current?.value ?? text, typed, '')
    chooseModel(store, model.id)
    onChange(next.text)
    placeCaret(box, next.caret)
  }
  const { isOpen, index, goTo } = useTypedRows(box, {
    listId,
    word: typed?.word ?? null,
    count,
    onChoose: choose,
    onDismiss: () => typed && dismiss(typed.start),
  })
  if (!isOpen) return null
  return (
    <TypedList
      id={listId}
      label={t('models.menu')}
      hint={t('models.menuHint')}
      entries={
        isEmpty
          ? [{ key: '', label: t('models.connectFirst'), detail: t('models.none') }]
          : found.map(({ id, name, connection_name: connection }) => ({
              key: id,
              label: name,
              detail: connection ?? '',
            }))
      }
      activeIndex={index}
      onHover={goTo}
      onChoose={choose}
    />
  )
}
