/** Browser features that no page may use, not even through an injected script. */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];

/** The header of every page. Data doesn't need it, since no browser runs anything of it. */
export const permissionsPolicy = {
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
};
