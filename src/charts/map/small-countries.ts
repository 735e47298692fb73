/**
 * Where the countries and territories are that are too small to be areas of the map: their numeric code (ISO 3166), longitude and latitude. Computed
 * from the larger map of world-atlas, whose data is that of Natural Earth (public domain).
 */
export const smallCountries: readonly (readonly [code: string, longitude: number, latitude: number])[] = [
  ['016', -170.7, -14.3], // American Samoa
  ['020', 1.6, 42.5], // Andorra
  ['028', -61.8, 17.1], // Antigua and Barb.
  ['048', 50.5, 26.1], // Bahrain
  ['052', -59.5, 13.2], // Barbados
  ['060', -64.8, 32.3], // Bermuda
  ['086', 72.4, -7.3], // Br. Indian Ocean Ter.
  ['092', -64.6, 18.4], // British Virgin Is.
  ['132', -23.6, 15.1], // Cabo Verde
  ['136', -81.3, 19.3], // Cayman Is.
  ['162', 105.7, -10.5], // Christmas Island
  ['166', 96.9, -12.2], // Cocos
  ['174', 43.4, -11.7], // Comoros
  ['175', 45.2, -12.8], // Mayotte
  ['184', -159.8, -21.2], // Cook Is.
  ['212', -61.4, 15.4], // Dominica
  ['234', -6.8, 62.1], // Faeroe Is.
  ['248', 20, 60.3], // Åland
  ['254', -53.1, 4], // French Guiana
  ['258', -149.4, -17.7], // Fr. Polynesia
  ['292', -5.4, 36.1], // Gibraltar
  ['296', -157.4, 1.9], // Kiribati
  ['308', -61.7, 12.1], // Grenada
  ['312', -61.5, 16.2], // Guadeloupe
  ['316', 144.8, 13.4], // Guam
  ['336', 12.4, 41.9], // Vatican
  ['344', 114.1, 22.5], // Hong Kong
  ['438', 9.5, 47.1], // Liechtenstein
  ['446', 113.5, 22.2], // Macao
  ['462', 73.5, 4.2], // Maldives
  ['470', 14.5, 35.9], // Malta
  ['474', -61, 14.7], // Martinique
  ['480', 57.5, -20.3], // Mauritius
  ['492', 7.4, 43.8], // Monaco
  ['500', -62.2, 16.7], // Montserrat
  ['520', 166.9, -0.5], // Nauru
  ['531', -69, 12.2], // Curaçao
  ['533', -70, 12.5], // Aruba
  ['534', -63.1, 18.1], // Sint Maarten
  ['535', -68.3, 12.2], // Caribbean Netherlands
  ['570', -169.9, -19], // Niue
  ['574', 167.9, -29.1], // Norfolk Island
  ['580', 145.8, 15.2], // N. Mariana Is.
  ['583', 158.2, 6.9], // Micronesia
  ['584', 171.2, 7.1], // Marshall Is.
  ['585', 134.6, 7.5], // Palau
  ['612', -128.3, -24.4], // Pitcairn Is.
  ['638', 55.5, -21.1], // Réunion
  ['652', -62.8, 17.9], // St-Barthélemy
  ['654', -5.7, -16], // Saint Helena
  ['659', -62.7, 17.3], // St. Kitts and Nevis
  ['660', -63.1, 18.2], // Anguilla
  ['662', -61, 13.9], // Saint Lucia
  ['663', -63.1, 18.1], // St-Martin
  ['666', -56.3, 46.9], // St. Pierre and Miquelon
  ['670', -61.2, 13.2], // St. Vin. and Gren.
  ['674', 12.5, 43.9], // San Marino
  ['678', 6.6, 0.2], // São Tomé and Principe
  ['690', 55.5, -4.7], // Seychelles
  ['702', 103.9, 1.4], // Singapore
  ['744', 16, 78.5], // Svalbard
  ['772', -171.8, -9.2], // Tokelau
  ['776', -175.2, -21.1], // Tonga
  ['796', -71.7, 21.8], // Turks and Caicos Is.
  ['798', 179.2, -8.5], // Tuvalu
  ['831', -2.6, 49.5], // Guernsey
  ['832', -2.1, 49.2], // Jersey
  ['833', -4.5, 54.2], // Isle of Man
  ['850', -64.8, 17.8], // U.S. Virgin Is.
  ['876', -178.1, -14.3], // Wallis and Futuna Is.
  ['882', -172.5, -13.6], // Samoa
];
