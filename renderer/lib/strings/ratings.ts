import ratings from '../../locales/en/ratings.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('ratings', ratings)
