import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../controls/select.tsx'
import { TextField } from '../fields/text-field.tsx'
import {
  choosePictures,
  LARGEST_SEED,
  MOST_PICTURES,
  toSeed,
  usePictureChoice,
} from './picture-choice.ts'

/** Offered sizes by aspect ratio. Engines that do not support one report an error. */
const PICTURE_SIZES = Object.freeze([
  { size: '512x512', shape: 'square' },
  { size: '1024x1024', shape: 'square' },
  { size: '1024x1536', shape: 'upright' },
  { size: '1536x1024', shape: 'wide' },
] as const)

/** Formats a size for display. */
export const toTimes = (size: string): string => size.replace('x', ' × ')

/** Input of the seed. Invalid text stays in the box and does not change the choice. */
function SeedField() {
  const { t } = useTranslation()
  const { seed } = usePictureChoice()
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (seed === null ? '' : String(seed))
  const isOdd = shown.trim() !== '' && toSeed(shown) === null
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      maxLength={20}
      label={t('pictures.choice.seed')}
      placeholder={t('pictures.choice.anySeed')}
      error={isOdd ? t('pictures.choice.oddSeed', { largest: LARGEST_SEED }) : null}
      value={shown}
      onChange={(value) => {
        setTyped(value)
        choosePictures({ seed: toSeed(value) })
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** Size, number and seed of generated pictures; changes are stored immediately. */
export function ChoiceFields({ isInRow = false }: { isInRow?: boolean }) {
  const { t } = useTranslation()
  const { size, count } = usePictureChoice()
  const isListed = size === '' || PICTURE_SIZES.some((each) => each.size === size)
  return (
    <div
      className={
        isInRow
          ? 'grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.2fr)]'
          : 'grid gap-3'
      }
    >
      <Select
        label={t('pictures.choice.size')}
        value={size}
        options={[
          { value: '', label: t('pictures.choice.auto') },
          ...PICTURE_SIZES.map((each) => ({
            value: each.size,
            label: t(`pictures.choice.${each.shape}`, { size: toTimes(each.size) }),
          })),
          ...(isListed ? [] : [{ value: size, label: toTimes(size) }]),
        ]}
        onChange={(size) => choosePictures({ size })}
      />
      <Select
        label={t('pictures.choice.count')}
        value={String(count)}
        options={Array.from({ length: MOST_PICTURES }, (_, index) => ({
          value: String(index + 1),
          label: String(index + 1),
        }))}
        onChange={(value) => choosePictures({ count: Number(value) })}
      />
      <SeedField />
    </div>
  )
}
