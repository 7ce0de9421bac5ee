import pictures from '../../locales/en/pictures.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

// Imported for its effect by whatever draws or says something of pictures.
addStrings('pictures', pictures)
