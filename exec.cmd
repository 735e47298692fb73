@rem On Windows, whose shell has no exec, `npm start` runs this: the command as it is.
@%*
