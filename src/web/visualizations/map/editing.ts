import { IconWorldMap } from '@tabler/icons-react';
import { defineEditing } from '../kind.ts';
import { MapSettings } from './MapSettings.tsx';

export default defineEditing('map', IconWorldMap, MapSettings);
