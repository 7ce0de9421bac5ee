import pictures from '../../locales/en/pictures.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its side effect by modules that show pictures or texts about them.
addStrings('pictures', pictures)
