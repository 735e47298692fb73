/** How many days something in the trash can be restored. */
export const restorableDays = 30;
