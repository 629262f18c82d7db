% Client of the crank test bench in GNU Octave: octave crank.m, in the folder of crank_mex.mex
torques = 2 * (mod(floor((0:2999) / 250), 3) - 1);  % N m
values = crank_mex(torques);
names = {"time", "guide.g_N", "guide.play_used", "guide.load_y", "guide.moment", "step.residual"};
for i = 1:numel(names)
  printf("%s %s %.17g\n", names{i}, num2hex(values(i)), values(i));
end
