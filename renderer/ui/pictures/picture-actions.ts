import { downloadAddress } from '../../api/stored-document.ts'
import { withBase } from '../../lib/base-path.ts'
import { downloadFrom } from '../../lib/download.ts'
import { translate } from '../../lib/i18n.ts'
import { toast } from '../floating/toast.tsx'
import { copyPicture } from './copy-picture.ts'
import type { PictureEntry } from './shown-pictures.ts'

/** Returns the URL of a picture, with the base path of the UI. */
export const addressOf = ({ url }: PictureEntry): string =>
  /^(data|blob):/.test(url) ? url : withBase(url)

/** Downloads a picture to the user's computer. */
export function savePicture(entry: PictureEntry): void {
  downloadFrom(entry.id === null ? addressOf(entry) : downloadAddress(entry.id))
}

/** Copies a picture and reports whether that succeeded. */
export function copyAndTell(entry: PictureEntry): void {
  copyPicture(addressOf(entry)).then(
    () => toast({ text: translate('pictures.copied') }),
    (thrown: unknown) =>
      toast({
        tone: 'danger',
        text: translate('pictures.copyFailed', {
          problem: thrown instanceof Error ? thrown.message : '',
        }),
      }),
  )
}
