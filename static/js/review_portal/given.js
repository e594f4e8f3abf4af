// @ts-check
// What the room lends to a panel that comes later. A module that imports the room's own ones would split the files of a
// first visit into more and larger ones.
/** @type {RoomParts} */
export let room;

/** @param {RoomParts} parts */
export const take = (parts) => {
  room = parts;
};
